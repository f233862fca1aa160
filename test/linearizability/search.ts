import { isDeepStrictEqual } from 'node:util'
import type { RefusalCode } from '../../src/domain/refusal.js'
import { stepsOf, type RuleName } from '../model/rules.js'
import type { Outcome, World } from '../model/world.js'

/** Whether the steps can be ordered so that the model gives the same replies as the history. */
export type Verdict =
  | { readonly kind: 'explained'; readonly tried: number }
  /** `explained` has the operations of the longest order that was found. */
  | { readonly kind: 'impossible'; readonly tried: number; readonly explained: readonly Operation[] }
  | { readonly kind: 'given-up'; readonly tried: number }

/** The number of steps that an operation has completed. */
type Progress = { readonly step: number; readonly note: unknown; readonly isOver: boolean }

/**
 * The search by Wing and Gong, with Lowe's cache of positions, for operations of several steps. The search first tries the steps in the
 * order in which the simulator made them, and backtracks if the model does not allow that order. If an operation was completed before
 * another operation began, its steps come first. An operation whose reply was lost may have stopped after any step.
 */
export function explain(world: World, history: readonly Operation[], most = 50_000): Verdict {
  const steps = history.map(({ rule }) => stepsOf(rule))
  const progress = history.map((): Progress => ({ step: 0, note: undefined, isOver: false }))
  const required = history.filter(({ reply }) => reply.kind !== 'lost').length
  const seen = new Set<string>()
  /** The number of steps that a search without backtracking tries. */
  const straight = steps.flat().length
  let [tried, least] = [0, Infinity]
  let explained: readonly Operation[] = []

  /** Operations that may take the next step: every operation that completed before they began has taken all its steps. */
  function candidates(): number[] {
    const ready: number[] = []
    let end = Infinity
    // Operations are in the order in which they began.
    for (const [index, { invoked, completed, reply }] of history.entries()) {
      if (invoked >= end) break
      if (progress[index]?.isOver) continue
      end = Math.min(end, completed)
      // An operation without a reply does not take a step whose call was never made.
      if (reply.kind !== 'lost' || momentOf(index) < Infinity) ready.push(index)
    }
    return ready.sort((one, other) => momentOf(one) - momentOf(other))
  }

  function momentOf(index: number): number {
    const { moments } = history[index] as Operation
    return moments[(progress[index] as Progress).step]?.at ?? Infinity
  }

  function extend(state: World, left: number): boolean {
    if (left === 0) return true
    tried += 1
    if (tried > most) return false
    // Remembers positions only after the search has backtracked, because their text forms are long.
    if (tried > straight) {
      const position = JSON.stringify([progress, { ...state, rules: 0 }])
      if (seen.has(position)) return false
      seen.add(position)
    }
    if (left < least) {
      least = left
      explained = history.filter((_, index) => progress[index]?.isOver)
    }
    return candidates().some((index) => take(index, state, left))
  }

  function take(index: number, state: World, left: number): boolean {
    const operation = history[index] as Operation
    const before = progress[index] as Progress
    const isRequired = operation.reply.kind !== 'lost'
    for (const { world, reply, note } of outcomesOf(operation, steps[index]?.[before.step], state, before)) {
      const isOver = reply !== 'next'
      progress[index] = { step: before.step + 1, note, isOver }
      if (extend(world, isOver && isRequired ? left - 1 : left)) return true
      progress[index] = before
      // If a step changes nothing, it is possible later only if it is possible now.
      if (isOver && isRequired && world === state) return false
    }
    return false
  }

  if (extend(world, required)) return { kind: 'explained', tried }
  return tried > most ? { kind: 'given-up', tried } : { kind: 'impossible', tried, explained }
}

/** Yields the possible outcomes of a step at the times of its operation. The probable time comes first, and usually suffices. */
function* outcomesOf(
  { id, input, reply, times, moments }: Operation,
  step: ReturnType<typeof stepsOf>[number] | undefined,
  world: World,
  { step: number, note }: Progress,
): Generator<Outcome> {
  const known = new Set<string>()
  for (const now of new Set([moments[number]?.now ?? times[0], ...times] as number[]))
    for (const outcome of step?.(world, input as never, { id, now, note: note as never }) ?? []) {
      if (!isPossible(outcome, reply)) continue
      // Skips repeated outcomes, because most steps change nothing, regardless of when they are taken.
      const isSame = outcome.world === world
      if (isSame && known.size > 0 && known.has(textOf(outcome))) continue
      yield outcome
      if (isSame) known.add(textOf(outcome))
    }
}

const textOf = ({ reply, note }: Outcome) => JSON.stringify([reply, note])

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
function isPossible({ reply: allowed, answer, ifLost }: Outcome, reply: Reply): boolean {
  if (reply.kind === 'lost') return true
  if (ifLost) return false
  if (allowed === 'next') return true
  if (reply.kind === 'refused') return reply.code === allowed
  return allowed === 'done' && (answer === undefined || isDeepStrictEqual(answer, reply.answer))
}
