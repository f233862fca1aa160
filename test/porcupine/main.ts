import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import fc from 'fast-check'
import { numberOf, parseArguments, runProgram } from '../../bench/arguments.js'
import { type Operation, explain } from '../linearizability/search.js'
import { withoutStacks } from '../simulation/campaign.js'
import { plans, type Plan } from '../simulation/plan.js'
import { PLANTED } from '../simulation/planted/index.js'
import { play, type Played } from '../simulation/play.js'
import { PROJECT } from '../support/project.js'
import { hasTool, toolPath } from '../support/required-tools.js'

/** The maximum fraction of the selected histories that may violate the model. */
const VIOLATIONS = 0.2
/** The maximum fraction of the selected histories whose planted bug need not violate the model. */
const HIDDEN_BUGS = 0.1
/** The maximum fraction of the histories that are selected because the same bug causes a violation. */
const OF_ONE_BUG = 0.015

const OPTIONS = {
  histories: { type: 'string', default: '1000' },
  seed: { type: 'string', default: '1' },
} as const

const USAGE = `npm run cross-check -- [options]
  --histories N  so many histories (1000)
  --seed N       the seed of the first history (1)`

const WHOLE = { least: 1, most: 2 ** 31, isWhole: true }

async function* selected(histories: number, seed: number): AsyncGenerator<Recorded> {
  const wanted = { hidden: histories * HIDDEN_BUGS, violations: histories * VIOLATIONS }
  let sound = histories - wanted.violations - wanted.hidden
  for await (const history of record(seed)) {
    if (sound-- <= 0) break
    yield history
  }
  const found: Record<string, number> = {}
  // Leaves out bugs that can be found only in a certain theme, because Porcupine does not support all themes.
  const bugs = Object.entries(PLANTED).flatMap(([name, { theme }]) => (theme ? [] : name))
  for await (const history of record(seed, bugs)) {
    const { isExplained, bug = '' } = history
    const kind = isExplained ? 'hidden' : 'violations'
    if (wanted.violations <= 0 && wanted.hidden <= 0) break
    if (wanted[kind] <= 0 || (found[bug] ?? 0) >= histories * OF_ONE_BUG) continue
    if (!isExplained) found[bug] = (found[bug] ?? 0) + 1
    wanted[kind] -= 1
    yield history
  }
}

async function storyOf({ plan, bug = '' }: Recorded): Promise<string> {
  const lines: string[] = []
  await play(plan, PLANTED[bug], (line) => void lines.push(line))
  return lines.join('\n')
}

async function crossCheck(histories: number, seed: number): Promise<number> {
  const porcupine = startPorcupine()
  const counts = { histories: 0, violations: 0, undecided: 0, disagreements: 0 }
  const bugs = new Set<string>()
  for await (const history of selected(histories, seed)) {
    const verdict = await porcupine.judge(history.line)
    counts.histories += 1
    if (!history.isExplained) {
      counts.violations += 1
      bugs.add(history.bug ?? 'no planted bug')
    }
    if (verdict === 'Unknown') counts.undecided += 1
    if (verdict === 'Unknown' || verdict === (history.isExplained ? 'Ok' : 'Illegal')) continue
    counts.disagreements += 1
    console.log(await storyOf(history))
    console.log(`Porcupine says ${verdict}, and our checker the opposite. Bug: ${history.bug ?? 'none'}.`)
  }
  porcupine.end()
  console.log(JSON.stringify({ ...counts, bugs: bugs.size }))
  return counts.disagreements > 0 ? 1 : 0
}

/** The checker Porcupine: a process that reads one history per line, and prints `Ok`, `Illegal` or `Unknown`. */
function startPorcupine() {
  const folder = join(PROJECT, 'test', 'porcupine')
  const child = spawn(toolPath('go'), ['run', '.'], { cwd: folder, stdio: ['pipe', 'pipe', 'inherit'] })
  const verdicts = createInterface(child.stdout)[Symbol.asyncIterator]()
  return {
    async judge(line: string): Promise<string> {
      child.stdin.write(`${line}\n`)
      const next: IteratorResult<string, undefined> = await verdicts.next()
      if (next.done) throw new Error('The Go program has ended: its output above says why.')
      return next.value
    },
    end: () => child.stdin.end(),
  }
}

/** The themes without second factors, impersonation and the login limit, identified by their positions in `THEMES`. */
const THEMES = [0, 1, 3, 5]
const THEME = 6

type Recorded = {
  readonly line: string
  readonly isExplained: boolean
  readonly plan: Plan
  readonly bug?: string
}

/** Yields an endless series of histories, either of the unchanged service, or with one planted bug after another. */
async function* record(seed: number, bugs?: readonly string[]): AsyncGenerator<Recorded> {
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

await runProgram(async () => {
  const { histories, seed } = parseArguments({ options: OPTIONS }, USAGE).values
  const [most, first] = [numberOf('histories', histories, WHOLE), numberOf('seed', seed, WHOLE)]
  if (hasTool('go')) return await withoutStacks(() => crossCheck(most, first))
  console.error('The cross-check needs Go 1.23 or newer on PATH: https://go.dev/dl')
  return 2
})
