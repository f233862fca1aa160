import { isDeepStrictEqual } from 'node:util'
import type { RuleName } from '../model/rules.js'
import type { Outcome } from '../model/world.js'
import type { RefusalCode } from '../../src/domain/refusal.js'

/** An operation's reply. `lost`: no reply, or an error that does not say whether the operation took effect. */
export type Reply =
  | { readonly kind: 'done'; readonly answer: unknown }
  | { readonly kind: 'refused'; readonly code: RefusalCode }
  | { readonly kind: 'lost' }

/** A position in the history's events, and the time on the instance's clock. */
export type CallTime = { readonly at: number; readonly now: number }

/** An operation as its client sees it. Positions count the events of the history. */
export type Operation = {
  /** The number of the operation; every name that the operation creates begins with this number. */
  readonly id: string
  readonly rule: RuleName
  readonly input: unknown
  readonly reply: Reply
  readonly invoked: number
  /** Infinite if there is no reply. */
  readonly completed: number
  /** The times that the instance's clock showed during the operation. */
  readonly times: readonly number[]
  /** When each step probably took effect; this is only a hint that makes the search faster. */
  readonly moments: readonly CallTime[]
}

/** Returns whether a step can have this outcome if its operation gets this reply. */
export function isPossible({ reply: allowed, answer, ifLost }: Outcome, reply: Reply): boolean {
  if (reply.kind === 'lost') return true
  if (ifLost) return false
  if (allowed === 'next') return true
  if (reply.kind === 'refused') return reply.code === allowed
  return allowed === 'done' && (answer === undefined || isDeepStrictEqual(answer, reply.answer))
}
