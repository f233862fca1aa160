import type { Operation } from './history.js'
import type { Specification } from './specification.js'

/** Whether some order explains a history. */
export type Verdict<State> =
  | { readonly kind: 'linearizable'; readonly steps: number }
  /** There is none. `farthest` is as far as an order came. */
  | { readonly kind: 'impossible'; readonly steps: number; readonly farthest: Reached<State> }
  /** The search took more steps than it may. */
  | { readonly kind: 'given-up'; readonly steps: number }

/** Where an order has come to. */
export type Reached<State> = {
  /** The operations of the order by their index. */
  readonly order: readonly number[]
  readonly state: State
}

type History<Input, Output> = readonly Operation<Input, Output>[]

/**
 * Looks for an order of the operations that the specification allows and in which what was completed before another began
 * comes before it, as Wing and Gong do: takes one after the other of those that may be next, and goes back where it gets no
 * further. As Lowe says, a set of operations that led to one state is not tried twice. Operations without an answer may be
 * anywhere after their beginning, or nowhere. An answer that changes nothing is taken as soon as it is right: what is
 * possible after it was possible before it.
 */
export function findOrder<State, Input, Output>(
  history: History<Input, Output>,
  specification: Specification<State, Input, Output>,
  { steps: most }: { readonly steps: number },
): Verdict<State> {
  const seen = new Set<string>()
  const done = history.map(() => false)
  const order: number[] = []
  let [steps, left] = [0, history.filter(({ completed }) => completed !== undefined).length]
  let farthest: Reached<State> & { readonly left: number } = { order: [], state: specification.initial, left }

  /** Whether an order that begins with this operation goes on to the end. */
  function take(index: number, state: State): boolean {
    const isRequired = history[index]?.completed !== undefined
    done[index] = true
    order.push(index)
    if (isRequired) left -= 1
    const isFound = extend(state)
    if (isFound) return true
    if (isRequired) left += 1
    order.pop()
    done[index] = false
    return false
  }

  function extend(state: State): boolean {
    if (left < farthest.left) farthest = { order: [...order], state, left }
    if (left === 0) return true
    const key = `${placesOf(done)} ${specification.keyOf(state)}`
    if (seen.has(key)) return false
    seen.add(key)
    steps += 1
    if (steps > most) return false
    const next = candidates(history, done)
    const read = next.find((index) => isReadNow(history[index], state))
    if (read !== undefined) return take(read, state)
    return next.some((index) => statesAfter(index, state).some((after) => take(index, after)))
  }

  function isReadNow(operation: Operation<Input, Output> | undefined, state: State): boolean {
    if (operation?.output === undefined) return false
    const { input, output } = operation
    return specification.isRead(input, output) && specification.after(state, input, output).length > 0
  }

  /** What has no answer and changes nothing might as well not have happened. */
  function statesAfter(index: number, state: State): readonly State[] {
    const { input, output, completed } = history[index] as Operation<Input, Output>
    const after = specification.after(state, input, output)
    const before = specification.keyOf(state)
    return completed === undefined ? after.filter((one) => specification.keyOf(one) !== before) : after
  }

  if (extend(specification.initial)) return { kind: 'linearizable', steps }
  if (steps > most) return { kind: 'given-up', steps }
  return { kind: 'impossible', steps, farthest: { order: farthest.order, state: farthest.state } }
}

/** Those that began before any other that is left has ended; first those that ended first. */
function candidates(history: History<unknown, unknown>, done: readonly boolean[]): readonly number[] {
  let end = Infinity
  history.forEach(({ completed = Infinity }, index) => {
    if (!done[index] && completed < end) end = completed
  })
  const next: number[] = []
  history.forEach(({ invoked }, index) => {
    if (!done[index] && invoked < end) next.push(index)
  })
  const endOf = (index: number) => history[index]?.completed ?? Number.MAX_SAFE_INTEGER
  return next.sort((one, other) => endOf(one) - endOf(other))
}

/** The operations that were taken, as a text. */
function placesOf(done: readonly boolean[]): string {
  let places = ''
  for (const isDone of done) places += isDone ? '1' : '0'
  return places
}
