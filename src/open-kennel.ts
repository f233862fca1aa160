import type { Kennel } from './composition-root/open-kennel/kennel.js'
import type { KennelOptions } from './composition-root/open-kennel/options.js'

export type { Kennel } from './composition-root/open-kennel/kennel.js'
export type { OperatorUseCases } from './composition-root/open-kennel/operator-use-cases.js'
export type { DurationOption, KennelOptions, KennelParts } from './composition-root/open-kennel/options.js'
export { OptionsError } from './composition-root/open-kennel/options-error.js'
export { PartFault } from './composition-root/open-kennel/part-fault.js'
export type { SessionCookieHeaders } from './composition-root/open-kennel/session-cookie.js'

/**
 * Opens a store and puts everything together around it: every use case is a method of what it
 * resolves with. Rejects with an `OptionsError` (its code is `invalid-options`), whose `faults` name
 * every option that is wrong, and with a Refusal where the store cannot be opened: `unavailable`,
 * `incompatible-store` where no waiting helps, `missing-package` where an optional package is not
 * installed. What it needs is loaded only now: importing this package opens and loads nothing.
 */
export async function openKennel(options: KennelOptions): Promise<Kennel> {
  const { open } = await import('./composition-root/open-kennel/open.js')
  return await open(options)
}
