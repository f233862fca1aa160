import type { Components, NoComponents } from '../domain/access/components.js'
import type { GivenStore } from '../ports/given-store.js'
import type { Store } from '../ports/store.js'
import type { KennelOver } from './kennel.js'
import type { KennelOptions } from './options.js'

/**
 * Opens a store and resolves with a Kennel instance, which has the use cases as methods. If a custom store lacks a port, the Kennel instance
 * lacks the use cases that need the port. Rejects with an `OptionsError` (code `invalid-options`), whose `errors` describe
 * every invalid option. Rejects with a Refusal if the store cannot be opened: `unavailable`, `incompatible-store` (a permanent error), or
 * `missing-package` (an optional package is not installed). This call loads the modules; importing the package opens and loads nothing.
 *
 * @example
 * ```ts
 * import { openKennel, OPERATOR } from 'kennel-id'
 *
 * const kennel = await openKennel({
 *   store: 'sqlite:data/kennel.db',
 *   passphrase: process.env.SECURITY_JWT_PASSPHRASE,
 *   publicUrl: 'https://kennel.example',
 *   loginLimit: '10/15m',
 * })
 * await kennel.createUser({ caller: OPERATOR, email: 'ada@example.com', password: 'a long walk in the park' })
 * await kennel.close()
 * ```
 */
export async function openKennel<
  const Own extends Components = NoComponents,
  OwnStore extends string | GivenStore = string | Store,
>(options: KennelOptions<Own, OwnStore>): Promise<KennelOver<OwnStore, Own>> {
  const { open } = await import('./open.js')
  return (await open(options)) as KennelOver<OwnStore, Own>
}
