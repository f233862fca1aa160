import { checkNames, numberOf, parseArguments, runProgram } from '../../bench/arguments.js'
import { campaign, type Options } from './campaign.js'
import { PLANTED } from './planted/index.js'

/** The number of histories that share a seed; the next histories use the next seed. */
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
  const { planted, path, bug, ...given } = parseArguments({ options: OPTIONS }, USAGE).values
  const names = Object.keys(PLANTED).map((name) => ({ name }))
  checkNames('planted bug', bug === undefined ? [] : [bug], names)
  const wholeOf = (name: 'histories' | 'seed') => numberOf(name, given[name], WHOLE)
  const [histories, seed] = [wholeOf('histories'), wholeOf('seed')]
  if (planted) return await findPlanted(seed)
  // A path identifies one history.
  const most = path === undefined ? histories : 1
  return await searchViolations({ most, seed, path, bug })
})

type Search = Pick<Options, 'seed' | 'path'> & { readonly most: number; readonly bug: string | undefined }

/** Prints a line for each batch, and at the end one line of JSON. */
async function searchViolations({ most, seed, path, bug }: Search) {
  const withBug = bug === undefined ? '' : ` --bug "${bug}"`
  const begun = performance.now()
  const sum = { histories: 0, operations: 0, undecided: 0, violations: 0 }
  let seconds = 0
  for (let batch = seed; sum.histories < most && sum.violations === 0; batch += 1) {
    const histories = Math.min(BATCH, most - sum.histories)
    const { violation, ...found } = await campaign({ histories, seed: batch, path, bug: PLANTED[bug ?? ''] })
    for (const name of ['histories', 'operations', 'undecided'] as const) sum[name] += found[name]
    seconds = (performance.now() - begun) / 1000
    const rate = Math.round(sum.histories / seconds)
    process.stderr.write(`${sum.histories} of ${most} histories, ${rate} a second, seed ${batch}\n`)
    if (!violation) continue
    sum.violations = 1
    const again = `node dist/test/simulation/main.js --seed ${batch} --path ${violation.path}${withBug}`
    console.log(`${violation.story}\nplan: ${JSON.stringify(violation.plan)}\nagain: ${again}`)
  }
  console.log(JSON.stringify({ seed, ...sum, seconds }))
  return sum.violations
}

async function findPlanted(seed: number): Promise<number> {
  let missed = 0
  for (const [name, bug] of Object.entries(PLANTED)) {
    // Other work on the machine is not counted.
    const begun = process.cpuUsage()
    const { violation, histories } = await campaign({ histories: 40_000, seed, bug, shrink: false })
    const { user, system } = process.cpuUsage(begun)
    const seconds = Math.round((user + system) / 100_000) / 10
    const isFound = violation && seconds <= 60
    if (!isFound) missed += 1
    console.log(`${isFound ? 'found' : 'MISSED'} in ${seconds} s, ${histories} histories: ${name}`)
  }
  console.log(JSON.stringify({ seed, planted: Object.keys(PLANTED).length, missed }))
  return missed > 0 ? 1 : 0
}
