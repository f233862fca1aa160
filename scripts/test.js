// Runs the usual tests; `--ci` adds the tests that CI selects for a commit, and `--all` runs the complete matrix of test-plan.js.
//   --plan HASH  repeats the runs of CI for this commit
//   --from NAME  begins with this run, and counts the reports of the runs before it: continues after an interruption
//   --run NAME   runs only this run; can be repeated
// Other arguments go to mocha, so that `npm test -- --grep x` works; then a run may be empty.
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { hasTool, isRequired, TOOLS } from '../dist/test/support/required-tools.js'
import { PROJECT } from './files.js'
import { isTooSlow } from './test-plan.js'
import { countReports, fileTimes, noteReports, removeReport } from './test-reports.js'
import { otherRuns, usualRun } from './test-runs.js'

const mocha = join(PROJECT, 'node_modules/mocha/bin/mocha.js')
/** One file per core and at least three files, because many tests wait for servers and child processes. */
const JOBS = Math.min(Math.max(availableParallelism(), 3), 8)
/** Concurrent runs: one uses the cores that the last long file of the other leaves idle. */
const LANES = 2

const asked = readArguments(process.argv.slice(2))
const plan = asked.plan ?? headCommit() ?? '00000000'
const usual = usualRun()
const all = [usual, ...(asked.ci || asked.all ? otherRuns({ complete: asked.all, plan }) : [])]
const names = all.map(({ name }) => name)
const unknown = [...asked.runs, asked.from ?? usual.name].filter((name) => !names.includes(name))

if (unknown.length > 0) {
  console.error(`There is no run ${unknown.join(', ')}. The runs are ${names.join(', ')}.`)
  process.exitCode = 2
} else process.exitCode = (await runAll()) ? 0 : 1

function readArguments(args) {
  const read = { runs: [], mocha: [] }
  while (args.length > 0) {
    const name = args.shift()
    if (['--ci', '--all'].includes(name)) read[name.slice(2)] = true
    else if (['--plan', '--from'].includes(name)) read[name.slice(2)] = args.shift()
    else if (name === '--run') read.runs.push(args.shift())
    else read.mocha.push(name)
  }
  return read
}

function headCommit() {
  const { status, stdout } = spawnSync('git', ['rev-parse', 'HEAD'], { cwd: PROJECT, encoding: 'utf8' })
  return status === 0 ? stdout.trim() : undefined
}

async function runAll() {
  if (asked.ci) console.log(`The plan of ${plan}. To repeat it: npm run check -- --plan ${plan}`)
  const chosen = all.filter(({ name }) => asked.runs.length === 0 || asked.runs.includes(name))
  for (const run of chosen)
    if (!isPossible(run)) console.log(`Left out: the run ${run.name} (${TOOLS[run.server].missing})`)
  const counted = chosen.filter(isPossible)
  const runs = counted.filter(({ name }) => names.indexOf(name) >= names.indexOf(asked.from ?? usual.name))
  for (const { report } of runs) removeReport(report)
  noteReports(counted.map(({ report }) => report))
  const isPassed = await runInLanes(runs)
  const { skipped, passes: passed } = countReports(counted.map(({ report }) => report))
  printSkipped(skipped)
  if (counted.length > 1) printTimes(counted)
  if (passed === 0) console.error('no test has passed')
  return isPassed && passed > 0
}

async function runInLanes(runs) {
  const begun = performance.now()
  const lanes = Math.min(LANES, runs.length)
  const waiting = runs.entries()
  const results = []
  const work = async () => {
    for (const [index, run] of waiting) {
      const minutes = ((performance.now() - begun) / 60_000).toFixed(1)
      console.log(`\nThe run ${run.name}, ${index + 1} of ${runs.length}, after ${minutes} min: ${run.what}.`)
      results.push(await passes(run, lanes))
    }
  }
  await Promise.all(Array.from({ length: lanes }, work))
  return results.every(Boolean)
}

async function passes({ name, files, env, report, jobs, node = process.execPath }, lanes) {
  const atOnce = jobs ?? Math.ceil(JOBS / lanes)
  // `--no-fail-zero` accepts a file without selected tests. The code below detects a run without any test.
  const general = `--reporter ./scripts/test-reports.js --parallel --no-fail-zero --jobs ${atOnce}`.split(' ')
  const paths = files.map((file) => `dist/test/${file}.test.js`)
  const variables = {
    ...(asked.mocha.length > 0 && { TEST_REPORTER: 'spec' }),
    ...(asked.ci && name !== usual.name && { TEST_PLAN: plan }),
    TEST_REPORT: report,
  }
  const options = { cwd: PROJECT, env: { ...process.env, ...env, ...variables } }
  const command = [node, mocha, ...general, ...paths, ...asked.mocha]
  const { status, signal, output } = await ended(command, options, lanes === 1)
  if (output.length > 0) process.stdout.write(`\nThe run ${name} printed:\n${output}`)
  const idle = asked.mocha.length === 0 && countReports([report]).passes === 0
  if (idle) console.error(`No test has passed in the run ${name}.`)
  if (status !== 0) console.error(`The run ${name} ended with ${signal ?? `status ${status}`}.`)
  return status === 0 && !idle && (name !== usual.name || isInTime(report))
}

/** Unless the command runs alone, its output is buffered, so that the caller can print it in one piece. */
async function ended([command, ...args], options, isAlone) {
  const target = isAlone ? 'inherit' : 'pipe'
  const child = spawn(command, args, { ...options, stdio: ['inherit', target, target] })
  const pieces = []
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (piece) => pieces.push(piece))
  const [status, signal] = await once(child, 'close')
  return { status, signal, output: Buffer.concat(pieces) }
}

function isInTime(report) {
  const secondsOfRun = countReports([report]).seconds
  const slow = fileTimes(report).filter(({ seconds }) => isTooSlow(seconds, secondsOfRun))
  const advice = 'make it faster, or give it to a slow part of scripts/test-plan.js.'
  for (const { file, seconds } of slow) console.error(`${file} took ${seconds.toFixed(1)} s: ${advice}`)
  return slow.length === 0
}

/** If a required server is missing, the run is not skipped but fails. */
function isPossible({ server = 'none' }) {
  return server === 'none' || hasTool(server) || isRequired(server)
}

/** The title of a skipped test contains the missing tool in parentheses. */
function printSkipped(skipped) {
  const reasons = skipped.map((title) => /\((no [^)]*)\)/.exec(title)?.[1] ?? title)
  for (const reason of new Set(reasons))
    console.log(`Left out: ${reasons.filter((one) => one === reason).length} tests (${reason})`)
}

function printTimes(runs) {
  console.log('\nSeconds  Passed  Run')
  for (const { name, report } of runs) {
    const { passes: passed, failures, seconds } = countReports([report])
    const remark = failures > 0 ? `, ${failures} failed` : ''
    console.log(`${seconds.toFixed().padStart(7)}  ${String(passed).padStart(6)}  ${name}${remark}`)
  }
  const times = runs.flatMap(({ name, report }) => fileTimes(report).map((time) => ({ ...time, name })))
  const slowest = times.sort((one, other) => other.seconds - one.seconds).slice(0, 20)
  console.log(`\nSeconds  The ${slowest.length} slowest files`)
  for (const { file, seconds, name } of slowest)
    console.log(`${seconds.toFixed(1).padStart(7)}  ${file} (${name})`)
}
