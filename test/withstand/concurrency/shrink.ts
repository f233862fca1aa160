import type { Operation } from './history.js'
import { findOrder } from './search.js'
import type { Specification } from './specification.js'

type History<Input, Output> = readonly Operation<Input, Output>[]

/**
 * A smaller history that no order explains either. It is cut after the first answer that cannot be explained; answers
 * that change nothing are left out, and of the others it is forgotten what they were, as far as it stays impossible
 * without. An operation that changes something is never left out: what it did may be why another answer is right.
 */
export function shrink<State, Input, Output>(
  history: History<Input, Output>,
  specification: Specification<State, Input, Output>,
  budget: { readonly steps: number },
): History<Input, Output> {
  const isImpossible = (one: History<Input, Output>) =>
    findOrder(one, specification, budget).kind === 'impossible'
  const cut = withoutEnd(shortestBeginning(history, isImpossible))
  const begun = cut.filter(
    ({ input, output }) => output !== undefined || !specification.isRead(input, output),
  )
  const fewer = begun.reduceRight<History<Input, Output>>((kept, operation) => {
    const { input, output } = operation
    if (output === undefined) return kept
    const others = kept.filter((one) => one !== operation)
    const forgotten = kept.map((one) => (one === operation ? unanswered(one) : one))
    const smaller = specification.isRead(input, output) ? others : forgotten
    return isImpossible(smaller) ? smaller : kept
  }, begun)
  return withoutEnd(fewer)
}

/** What is true of a history is true of what led to it: the first impossible beginning is found by halving. */
function shortestBeginning<Input, Output>(
  history: History<Input, Output>,
  isImpossible: (one: History<Input, Output>) => boolean,
): History<Input, Output> {
  const ends = history.flatMap(({ completed }) => completed ?? []).sort((one, other) => one - other)
  let [possible, impossible] = [-1, ends.length - 1]
  while (impossible - possible > 1) {
    const middle = (possible + impossible) >> 1
    if (isImpossible(until(history, ends[middle] ?? 0))) impossible = middle
    else possible = middle
  }
  return until(history, ends[impossible] ?? Infinity)
}

/** The history as it was at that time. */
function until<Input, Output>(history: History<Input, Output>, time: number): History<Input, Output> {
  return history
    .filter(({ invoked }) => invoked < time)
    .map((one) => ((one.completed ?? Infinity) <= time ? one : unanswered(one)))
}

/** What has no answer and began after every answer explains nothing. */
function withoutEnd<Input, Output>(history: History<Input, Output>): History<Input, Output> {
  const last = Math.max(...history.map(({ completed = 0 }) => completed))
  return history.filter(({ invoked }) => invoked < last)
}

function unanswered<Input, Output>({
  client,
  input,
  invoked,
}: Operation<Input, Output>): Operation<Input, Output> {
  return { client, input, invoked }
}
