import fc from 'fast-check'
import { play, type Bug, type Played } from './play.js'
import { plans, type Plan } from './plan.js'
import { explain } from '../linearizability/search.js'

/** The result of many histories. */
export type Campaign = {
  readonly histories: number
  readonly operations: number
  /** Histories with so many possible orders that the search ended early. */
  readonly undecided: number
  readonly violation?: Violation
}

/** A history that the model does not allow: the smallest that was found, and how to play it again. */
export type Violation = {
  readonly seed: number
  readonly path: string
  readonly plan: Plan
  readonly story: string
}

type Options = {
  readonly histories: number
  readonly seed: number
  /** Begins with the history of a violation, and ends with it. */
  readonly path?: string
  readonly bug?: Bug
  /** Whether a violation is made smaller, which takes a minute. */
  readonly shrink?: boolean
}

/** Steps of the search with a planted bug: it shows in many histories, so a longer search is not worth its time. */
const TRIED_WITH_BUG = 10_000

/** Refusals are frequent, and nothing reads their stacks. */
export async function withoutStacks<T>(work: () => Promise<T>): Promise<T> {
  const { stackTraceLimit } = Error
  Error.stackTraceLimit = 0
  return await work().finally(() => (Error.stackTraceLimit = stackTraceLimit))
}

export const campaign = (options: Options): Promise<Campaign> => withoutStacks(() => search(options))

async function search({ histories, seed, path, bug, shrink = true }: Options): Promise<Campaign> {
  let [operations, undecided, played] = [0, 0, 0]
  let isViolated = false
  const property = fc.asyncProperty(plans, async (plan) => {
    const history = await play(plan, bug)
    const { kind } = judge(history, bug)
    if (!isViolated) played += 1
    operations += isViolated ? 0 : history.operations.length
    undecided += kind === 'given-up' ? 1 : 0
    isViolated ||= kind === 'impossible'
    return kind !== 'impossible'
  })
  const replay = path === undefined ? {} : { path }
  const found = await fc.check(property, {
    ...{ numRuns: histories, seed, endOnFailure: !shrink || path !== undefined },
    ...replay,
  })
  const counts = { histories: played, operations, undecided }
  if (!found.failed || !found.counterexample) return counts
  const [plan] = found.counterexample
  const again = { seed, path: found.counterexamplePath }
  return { ...counts, violation: { ...again, plan, story: await storyOf(plan, bug) } }
}

/** Whether the model explains a history. An operation that waits for ever is not explained. */
export function judge({ world, operations, stuck }: Played, bug?: Bug) {
  const verdict = explain(world, operations, bug ? TRIED_WITH_BUG : undefined)
  return stuck.length > 0 ? ({ kind: 'impossible', explained: operations, tried: 0 } as const) : verdict
}

/** What happens in a history, line by line, and how far the model explains it. */
async function storyOf(plan: Plan, bug?: Bug): Promise<string> {
  const lines: string[] = []
  const played = await play(plan, bug, (line) => void lines.push(line))
  const verdict = judge(played, bug)
  if (verdict.kind === 'impossible') {
    const explained = verdict.explained.map(({ id }) => id)
    const left = played.operations.filter(({ id }) => !explained.includes(id)).map(({ id }) => id)
    lines.push(`The model explains at most ${explained.join(', ') || 'nothing'}, but not ${left.join(', ')}.`)
  }
  if (played.stuck.length > 0) lines.push(`No answer: ${played.stuck.join('; ')}`)
  return lines.join('\n')
}
