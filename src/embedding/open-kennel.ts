import type { Components, NoComponents } from '../domain/access/components.js'
import type { GivenStore, Store } from '../ports/store.js'
import type { KennelOver } from './kennel.js'
import type { KennelOptions } from './options.js'

/**
 * Opens a store and puts everything together around it: every use case is a method of what it
 * resolves with, but those for which a store of the caller's own lacks a port. Rejects with an `OptionsError` (its code
 * is `invalid-options`), whose `errors` name every option that is wrong, and with a Refusal where the store cannot be
 * opened: `unavailable`, `incompatible-store` where no waiting helps, `missing-package` where an optional package is not
 * installed. What it needs is loaded only now: importing this package opens and loads nothing.
 */
export async function openKennel<
  const Own extends Components = NoComponents,
  OwnStore extends string | GivenStore = string | Store,
>(options: KennelOptions<Own, OwnStore>): Promise<KennelOver<OwnStore, Own>> {
  const { open } = await import('./open.js')
  return (await open(options)) as KennelOver<OwnStore, Own>
}
