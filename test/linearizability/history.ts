import { isDeepStrictEqual } from 'node:util'
import type { RuleName } from '../model/rules.js'
import type { Outcome } from '../model/world.js'
import type { RefusalCode } from '../../src/domain/refusal.js'

/** The reply of an operation. `lost`: no reply, or an error that tells nothing about the effect. */
export type Reply =
  | { readonly kind: 'done'; readonly answer: unknown }
  | { readonly kind: 'refused'; readonly code: RefusalCode }
  | { readonly kind: 'lost' }

/** A position among the events of a history, and the time that the instance had. */
export type CallTime = { readonly at: number; readonly now: number }

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
  readonly moments: readonly CallTime[]
}

/** Whether a step of an operation with this reply can have the outcome. */
export function isPossible({ reply: allowed, answer, ifLost }: Outcome, reply: Reply): boolean {
  if (reply.kind === 'lost') return true
  if (ifLost) return false
  if (allowed === 'next') return true
  if (reply.kind === 'refused') return reply.code === allowed
  return allowed === 'done' && (answer === undefined || isDeepStrictEqual(answer, reply.answer))
}
