import type { Store } from '../../../src/ports/store.js'

/** The database of a service that is killed again and again. */
export type CrashDatabase = {
  readonly url: string
  /** What of it can be killed: each resolves when it takes writes again, with all its servers. */
  readonly kills: Readonly<Record<string, () => Promise<void>>>
  /** A store of the caller's own in it. */
  open(): Promise<Store>
  /** What is damaged, half-made or left over in it, as texts. */
  damages(): Promise<readonly string[]>
  close(): Promise<void>
}
