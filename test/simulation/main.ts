import { checkNames, numberOf, parseArguments, runProgram } from '../../bench/arguments.js'
import { campaign, type Violation } from './campaign.js'
import { PLANTED } from './planted.js'

/** So many histories have one seed; the next have the next seed. */
const BATCH = 2_000

const OPTIONS = {
  histories: { type: 'string', default: '20000' },
  seed: { type: 'string', default: String(1 + (Date.now() % 1_000_000)) },
  path: { type: 'string' },
  planted: { type: 'boolean', default: false },
  bug: { type: 'string' },
} as const

const USAGE = `node dist/test/simulation/main.js [options]
  --histories N  so many histories (20000)
  --seed N       the seed of the first ${BATCH}
  --path PATH    plays the violation of this path again
  --bug NAME     with this planted bug
  --planted      searches each planted bug`

const WHOLE = { least: 1, most: 2 ** 31, isWhole: true }

await runProgram(async () => {
  const { planted, bug, path, ...given } = parseArguments({ options: OPTIONS }, USAGE).values
  const names = Object.keys(PLANTED).map((name) => ({ name }))
  checkNames('planted bug', bug === undefined ? [] : [bug], names)
  const [most, seed] = [numberOf('histories', given.histories, WHOLE), numberOf('seed', given.seed, WHOLE)]
  return planted ? await findPlanted(seed) : await searchViolations({ most, seed, path, bug })
})

type Search = {
  readonly most: number
  readonly seed: number
  readonly path: string | undefined
  readonly bug: string | undefined
}

/** Prints a line for each batch, and at the end one line of JSON. */
async function searchViolations({ most, seed, path, bug }: Search): Promise<number> {
  const begun = performance.now()
  let [histories, operations, undecided, seconds] = [0, 0, 0, 0]
  let violation: Violation | undefined
  for (let batch = seed; histories < most && !violation; batch += 1) {
    const found = await campaign({
      ...{ histories: Math.min(BATCH, most - histories), seed: batch },
      ...(path !== undefined && { path }),
      ...(bug !== undefined && { bug: PLANTED[bug] ?? {} }),
    })
    histories += found.histories
    operations += found.operations
    undecided += found.undecided
    violation = found.violation
    seconds = (performance.now() - begun) / 1000
    const rate = Math.round(histories / seconds)
    process.stderr.write(`${histories} of ${most} histories, ${rate} a second, seed ${batch}\n`)
    if (path !== undefined) break
  }
  if (violation) process.stdout.write(`${violation.story}\n${replayOf(violation)}\n`)
  report({ seed, histories, operations, undecided, seconds, violations: violation ? 1 : 0 })
  return violation ? 1 : 0
}

function replayOf({ plan, seed, path }: Violation): string {
  return `plan: ${JSON.stringify(plan)}\nagain: node dist/test/simulation/main.js --seed ${seed} --path ${path}`
}

function report(figures: Readonly<Record<string, number>>): void {
  process.stdout.write(`${JSON.stringify(figures)}\n`)
}

async function findPlanted(seed: number): Promise<number> {
  let missed = 0
  for (const [name, bug] of Object.entries(PLANTED)) {
    // Other work on the machine does not count.
    const begun = process.cpuUsage()
    const { violation, histories } = await campaign({ histories: 40_000, seed, bug, shrink: false })
    const { user, system } = process.cpuUsage(begun)
    const seconds = Math.round((user + system) / 100_000) / 10
    const isFound = violation && seconds <= 60
    if (!isFound) missed += 1
    process.stdout.write(`${isFound ? 'found' : 'MISSED'} in ${seconds} s, ${histories} histories: ${name}\n`)
  }
  report({ seed, planted: Object.keys(PLANTED).length, missed })
  return missed > 0 ? 1 : 0
}
