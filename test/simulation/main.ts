import { parseArgs } from 'node:util'
import { campaign } from './campaign.js'
import { PLANTED } from './planted.js'

/** So many histories have one seed; the next have the next seed. */
const BATCH = 2_000

// Refusals are frequent, and nothing reads their stacks.
Error.stackTraceLimit = 0

const { values } = parseArgs({
  options: {
    histories: { type: 'string', default: '20000' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    path: { type: 'string' },
    planted: { type: 'boolean', default: false },
    bug: { type: 'string' },
  },
})
const seed = Number(values.seed)

if (values.planted) await findPlanted()
else await searchViolations()

/** Prints a line for each batch, and at the end one line of JSON. */
async function searchViolations(): Promise<void> {
  const { path, bug } = values
  const most = Number(values.histories)
  const begun = performance.now()
  let [histories, operations, undecided] = [0, 0, 0]
  for (let batch = 0; histories < most; batch += 1) {
    const found = await campaign({
      ...{ histories: Math.min(BATCH, most - histories), seed: seed + batch },
      ...(path !== undefined && { path }),
      ...(bug !== undefined && { bug: PLANTED[bug] ?? {} }),
    })
    histories += found.histories
    operations += found.operations
    undecided += found.undecided
    const seconds = (performance.now() - begun) / 1000
    const rate = Math.round(histories / seconds)
    process.stderr.write(`${histories} of ${most} histories, ${rate} a second, seed ${seed + batch}\n`)
    const { violation } = found
    if (!violation && path === undefined) continue
    if (violation) process.stdout.write(`${violation.story}\n${replayOf(violation)}\n`)
    report({ histories, operations, undecided, seconds, violations: violation ? 1 : 0 })
    process.exitCode = violation ? 1 : 0
    return
  }
  report({ histories, operations, undecided, seconds: (performance.now() - begun) / 1000, violations: 0 })
}

function replayOf(violation: {
  readonly seed: number
  readonly path: string
  readonly plan: unknown
}): string {
  return `plan: ${JSON.stringify(violation.plan)}\nagain: node dist/test/simulation/main.js --seed ${violation.seed} --path ${violation.path}`
}

function report(figures: Readonly<Record<string, number>>): void {
  process.stdout.write(`${JSON.stringify({ seed, ...figures })}\n`)
}

async function findPlanted(): Promise<void> {
  let missed = 0
  for (const [name, bug] of Object.entries(PLANTED)) {
    const begun = performance.now()
    const { violation, histories } = await campaign({ histories: 40_000, seed, bug, shrink: false })
    const seconds = Math.round((performance.now() - begun) / 100) / 10
    if (!violation || seconds > 60) missed += 1
    process.stdout.write(
      `${violation ? 'found' : 'MISSED'} in ${seconds} s, ${histories} histories: ${name}\n`,
    )
  }
  report({ planted: Object.keys(PLANTED).length, missed })
  process.exitCode = missed > 0 ? 1 : 0
}
