import fc from 'fast-check'
import { explain, type Verdict } from '../linearizability/search.js'
import type { Bug } from './instance.js'
import { plans, type Plan } from './plan.js'
import { play, type Played } from './play.js'

/** The result of many histories. */
export type Campaign = {
  readonly histories: number
  readonly operations: number
  /** The number of histories whose search gave up, because there were too many possible orders. */
  readonly undecided: number
  readonly violation?: Violation
}

/** A history that the model does not allow: the smallest history found, and how to replay it. */
export type Violation = {
  readonly seed: number
  readonly path: string
  readonly plan: Plan
  readonly story: string
}

export type Options = {
  readonly histories: number
  readonly seed: number
  /** The path of a violation to replay; the campaign ends after the history of this violation. */
  readonly path?: string | undefined
  readonly bug?: Bug | undefined
  /** Whether to shrink a violation, which takes about a minute. */
  readonly shrink?: boolean
}

/**
 * The maximum number of search steps per history with a planted bug. The checker can give up early, because many other histories reveal the
 * bug.
 */
const TRIED_WITH_BUG = 10_000

/** Turns off stack traces, because errors are frequent and no code reads their stacks. */
export async function withoutStacks<T>(work: () => Promise<T>): Promise<T> {
  const { stackTraceLimit } = Error
  Error.stackTraceLimit = 0
  return await work().finally(() => (Error.stackTraceLimit = stackTraceLimit))
}

export const campaign = (options: Options): Promise<Campaign> => withoutStacks(() => search(options))

async function search({ histories, seed, path = '', bug, shrink = path === '' }: Options): Promise<Campaign> {
  const counts = { operations: 0, undecided: 0 }
  const property = fc.asyncProperty(plans, async (plan) => {
    const history = await play(plan, bug)
    const { kind } = judge(history, bug)
    counts.operations += history.operations.length
    if (kind === 'given-up') counts.undecided += 1
    return kind !== 'impossible'
  })
  const first = await fc.check(property, { numRuns: histories, seed, path, endOnFailure: true })
  const campaign = { histories: first.numRuns, ...counts }
  if (!first.failed || first.counterexamplePath === null) return campaign
  const found = shrink ? await fc.check(property, { seed, path: first.counterexamplePath }) : first
  const [[plan], at] = [found.counterexample as [Plan], found.counterexamplePath as string]
  return { ...campaign, violation: { seed, path: at, plan, story: await storyOf(plan, bug) } }
}

/** Returns whether the model explains a history. The model never explains an operation that waits forever. */
function judge({ world, operations, stuck }: Played, bug?: Bug): Verdict {
  const verdict = explain(world, operations, bug ? TRIED_WITH_BUG : undefined)
  return stuck.length > 0 ? { kind: 'impossible', explained: operations, tried: 0 } : verdict
}

/** Returns what happens in a history, line by line, and how far the model explains the history. */
async function storyOf(plan: Plan, bug?: Bug): Promise<string> {
  const lines: string[] = []
  const history = await play(plan, bug, (line) => void lines.push(line))
  const verdict = judge(history, bug)
  const all = history.operations.map(({ id }) => id)
  if (verdict.kind === 'impossible') {
    const explained = verdict.explained.map(({ id }) => id)
    const left = all.filter((id) => !explained.includes(id))
    lines.push(`The model explains at most ${explained.join(', ') || 'nothing'}, but not ${left.join(', ')}.`)
  }
  if (history.stuck.length > 0) lines.push(`No answer: ${history.stuck.join('; ')}`)
  return lines.join('\n')
}
