import type { Operation } from './history.js'
import { findOrder } from './search.js'
import { shrink } from './shrink.js'
import type { Specification } from './specification.js'

/** Whose history it is. */
export type Circumstances = { readonly object: string; readonly seed: number; readonly steps: number }

/** The text of a history that no order explains: what is left of it when it is shrunk, and where every order ends. */
export function violationOf<State, Input, Output>(
  history: readonly Operation<Input, Output>[],
  specification: Specification<State, Input, Output>,
  { object, seed, steps }: Circumstances,
): string {
  const small = shrink(history, specification, { steps })
  const answered = small.filter(({ output }) => output !== undefined)
  const line = ({ client, input, output, invoked, completed }: Operation<Input, Output>) =>
    `  [${String(invoked)}-${String(completed ?? '…')}] client ${String(client)}: ${specification.tell(input, output)}`
  const open = small.filter(({ output }) => output === undefined).map(line)
  return [
    `seed ${String(seed)}: no order explains ${String(answered.length)} answers of the ${object}, of ${String(history.length)} operations:`,
    ...answered.map(line),
    ...(open.length > 0 ? ['  which may or may not have happened by then:', ...open] : []),
    ...endOf(small, specification, steps),
  ].join('\n')
}

function endOf<State, Input, Output>(
  history: readonly Operation<Input, Output>[],
  specification: Specification<State, Input, Output>,
  steps: number,
): readonly string[] {
  const verdict = findOrder(history, specification, { steps })
  if (verdict.kind !== 'impossible') return []
  const { order, state } = verdict.farthest
  const left = history.filter(
    ({ output }, index) => output !== undefined && !order.includes(index),
  ) as readonly Operation<Input, Output>[]
  const [first] = [...left].sort((one, other) => (one.completed ?? 0) - (other.completed ?? 0))
  const told = order.map((index) => history[index]?.invoked).join(', ')
  if (!first) return []
  return [
    `  the farthest order (by their beginnings): ${told === '' ? 'none' : told}`,
    `  then [${String(first.invoked)}]: ${specification.due(state, first.input)}`,
  ]
}
