import { isRefusal } from '../../src/domain/refusal.js'
import type { CallTime, Operation, Reply } from '../linearizability/search.js'
import { shown, type Attempt } from './attempt.js'
import type { Client } from './clients.js'

/** An operation that is running or has ended. */
export type Running = {
  readonly id: string
  readonly client: Client
  readonly instance: number
  readonly attempt: Attempt
  readonly invoked: number
  completed: number
  reply: Reply
  readonly times: number[]
  /** The port calls that the operation has made. */
  readonly calls: (CallTime & { readonly name: string })[]
  /** Whether a fault was injected into one of the operation's calls. */
  isDisturbed: boolean
}

const UNKNOWN: readonly string[] = ['unavailable', 'overloaded', 'incompatible-store']

/** Only an operation with an injected fault may fail with an unexpected error, which counts as a lost reply. */
export function replyOf(error: unknown, { isDisturbed }: Running): Reply {
  if (isRefusal(error) && !UNKNOWN.includes(error.code)) return { kind: 'refused', code: error.code }
  return isDisturbed ? { kind: 'lost' } : { kind: 'refused', code: `error: ${String(error)}` as never }
}

export function textOf(reply: Reply): string {
  if (reply.kind === 'lost') return 'an error'
  if (reply.kind === 'refused') return `refused, ${reply.code}`
  return reply.answer === undefined ? 'done' : `done ${shown(reply.answer)}`
}

/** Returns the operation in the form that the checker reads. */
export function recordOf(running: Running): Operation {
  const { id, attempt, reply, invoked, completed, times } = running
  const { rule, input } = attempt
  return { id, rule, input, reply, invoked, completed, times, moments: momentsOf(running) }
}

const NOT_A_STEP = ['audit.', 'mailQueue.', 'attempts.', 'hasher.']

/**
 * A step without a port call takes effect together with the step before it. If the reply was lost, steps after the last call never
 * happened.
 */
function momentsOf({
  attempt: { hints },
  calls,
  reply,
  completed,
  times: [now = 0],
}: Running): readonly CallTime[] {
  const found = hints.map((hint) => hinted(calls, hint))
  const taken = reply.kind === 'lost' ? found.findLastIndex((call) => call !== undefined) : hints.length
  const never = { at: completed, now }
  const last = calls.findLast(({ name }) => !NOT_A_STEP.some((start) => name.startsWith(start))) ?? never
  const moments: CallTime[] = []
  for (const [step, call] of found.entries())
    moments.push(call ?? (step > taken ? never : (moments.at(-1) ?? last)))
  // No step may be later than the next step.
  return moments.map((_, step) =>
    moments.slice(step).reduce((first, one) => (one.at < first.at ? one : first)),
  )
}

/**
 * Finds a call by a pattern such as `insert*#2`: `*` matches any characters, and the number selects a matching call, by default the last.
 */
function hinted(calls: Running['calls'], hint: string) {
  const [pattern = '', number] = hint.split('#')
  const [start = '', end] = pattern.split('*')
  const found = calls.filter(({ name }) =>
    end === undefined ? name === start : name.startsWith(start) && name.endsWith(end),
  )
  return number === undefined ? found.at(-1) : found[Number(number) - 1]
}
