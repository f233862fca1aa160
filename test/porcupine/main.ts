import { numberOf, parseArguments, runProgram } from '../../bench/arguments.js'
import { withoutStacks } from '../simulation/campaign.js'
import { PLANTED } from '../simulation/planted/index.js'
import { play } from '../simulation/play.js'
import { hasTool } from '../support/required-tools.js'
import { startPorcupine } from './porcupine.js'
import { record, type Recorded } from './record.js'

/** The maximum fraction of selected histories that violate the model. */
const VIOLATIONS = 0.2
/** The maximum fraction of selected histories with a planted bug that does not violate the model. */
const HIDDEN_BUGS = 0.1
/** The maximum fraction of histories in which the same bug causes a violation. */
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

await runProgram(async () => {
  const { histories, seed } = parseArguments({ options: OPTIONS }, USAGE).values
  const [most, first] = [numberOf('histories', histories, WHOLE), numberOf('seed', seed, WHOLE)]
  if (hasTool('go')) return await withoutStacks(() => crossCheck(most, first))
  console.error('The cross-check needs Go 1.23 or newer on PATH: https://go.dev/dl')
  return 2
})
