import type { RuleName } from '../model/rules.js'
import type { RefusalCode } from '../../src/domain/refusal.js'

/** The reply of an operation. `lost`: no reply, or an error that tells nothing about the effect. */
export type Reply =
  | { readonly kind: 'done'; readonly answer: unknown }
  | { readonly kind: 'refused'; readonly code: RefusalCode }
  | { readonly kind: 'lost' }

/** An operation as its client saw it. Positions count the events of the history. */
export type Operation = {
  /** Its number, with which all names begin that it made. */
  readonly id: string
  readonly rule: RuleName
  readonly input: unknown
  readonly reply: Reply
  readonly invoked: number
  /** Infinite without an answer. */
  readonly completed: number
  /** The times that the clock of its instance showed meanwhile. */
  readonly times: readonly number[]
  /** When each of its steps probably took effect: only a hint, so that the search finds the order faster. */
  readonly moments: readonly { readonly at: number; readonly now: number }[]
}
