import fc from 'fast-check'
import type { Operation } from '../linearizability/history.js'
import { play, type Played } from '../simulation/play.js'
import { plans, type Plan } from '../simulation/plan.js'
import { PLANTED } from '../simulation/planted/index.js'
import { explain } from '../linearizability/search.js'

/** The themes without second factors, impersonation and the login limit, identified by their positions in `THEMES`. */
const THEMES = [0, 1, 3, 5]
const THEME = 6

export type Recorded = {
  readonly line: string
  readonly isExplained: boolean
  readonly plan: Plan
  readonly bug?: string
}

/** Yields an endless series of histories, either of the unchanged service, or with one planted bug after another. */
export async function* record(seed: number, bugs?: readonly string[]): AsyncGenerator<Recorded> {
  for (let index = 0; ; index += 1) {
    const [plan] = fc.sample(plans, { seed: seed + index, numRuns: 1 }) as [Plan]
    const bug = bugs?.[index % bugs.length]
    const recorded = await recordPlan(inTheme(plan), bug)
    if (recorded) yield recorded
  }
}

function inTheme({ setting, ...plan }: Plan): Plan {
  const inThemes = (number: number) => THEMES[number % THEMES.length] as number
  return { ...plan, setting: setting.map((number, place) => (place === THEME ? inThemes(number) : number)) }
}

/** Returns `undefined` instead of a history if an operation never completes or the search gives up. */
async function recordPlan(plan: Plan, bug?: string): Promise<Recorded | undefined> {
  const played = await play(plan, PLANTED[bug ?? ''])
  const { kind } = explain(played.world, played.operations.map(withoutCalls))
  if (played.stuck.length > 0 || kind === 'given-up') return undefined
  const line = JSON.stringify(seenByClients(played))
  return { line, isExplained: kind === 'explained', plan, ...(bug !== undefined && { bug }) }
}

/** Porcupine does not know which calls were made, so it assumes that an operation without a reply may happen at any time. */
function withoutCalls(operation: Operation): Operation {
  const { completed, moments, times } = operation
  const unknown = { at: Number.MAX_SAFE_INTEGER, now: times[0] ?? 0 }
  return completed === Infinity ? { ...operation, moments: moments.map(() => unknown) } : operation
}

function seenByClients({ world, operations }: Played) {
  const { sessionLimit = 0, ...rules } = world.rules
  const accounts = Object.entries(world.accounts)
  return {
    settings: { ...rules, sessionLimit },
    accounts: accounts.map(([id, { password, roles }]) => ({ id: Number(id), password, roles })),
    operations: operations.map(({ id, rule, input, reply, times, invoked, completed }) => ({
      ...{ id, rule, input, reply, times, call: invoked },
      ...(completed < Infinity && { return: completed }),
    })),
  }
}
