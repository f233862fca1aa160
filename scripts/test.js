// Runs the tests. Without an option it runs the usual tests (`npm test`); `--ci` adds what CI tries for a commit, and
// `--all` the complete matrix. The plan is in test-plan.js.
//   --plan HASH  tries what CI tried for this commit, so that a red run can be repeated; `--plan` alone prints the plan
//   --resume     leaves out the runs that have passed here on the same commit, plan and Node; `--all` implies it
//   --run NAME   runs only this run; can be repeated
// Other arguments go to mocha, so that `npm test -- --grep x` works; then a run may be empty.
import { spawnSync } from 'node:child_process'
import { createRequire } from 'node:module'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { hasMongodb } from '../dist/test/support/mongodb/server.js'
import { otherWork } from './machine-load.js'
import { LIMIT } from './test-plan.js'
import { countReports, fileTimes, notedRuns, noteRuns, removeReport } from './test-reports.js'
import { otherRuns, usualRun } from './test-runs.js'

const project = join(import.meta.dirname, '..')
const mocha = createRequire(import.meta.url).resolve('mocha/bin/mocha.js')
/** A run for each core, and at least three: many tests wait for servers and child processes. */
const JOBS = Math.min(Math.max(availableParallelism(), 3), 8)
/** The slowest files that the report names. */
const SHOWN = 20
/** The share of the machine that other programs may use before the times of files say nothing about the files. */
const QUIET = 0.15

const asked = readArguments(process.argv.slice(2))
const commit = git('rev-parse', 'HEAD')
const plan = asked.plan ?? (commit === '' ? '00000000' : commit)
const usual = usualRun()
const others = asked.ci || asked.all ? otherRuns({ complete: asked.all, plan }) : []
const runs = [usual, ...others].filter(({ name }) => asked.runs.length === 0 || asked.runs.includes(name))
const unknown = asked.runs.filter((name) => !runs.some((run) => run.name === name))

if (unknown.length > 0) {
  console.error(
    `There is no run ${unknown.join(', ')}. The runs are ${[usual, ...others].map(({ name }) => name).join(', ')}.`,
  )
  process.exitCode = 2
} else if (asked.prints) printPlan()
else process.exitCode = runAll() ? 0 : 1

function readArguments(args) {
  const read = { runs: [], mocha: [] }
  while (args.length > 0) {
    const name = args.shift()
    if (['--ci', '--all', '--resume'].includes(name)) read[name.slice(2)] = true
    else if (name === '--plan' && args[0] && !args[0].startsWith('-')) read.plan = args.shift()
    else if (name === '--plan') read.prints = true
    else if (name === '--run') read.runs.push(args.shift())
    else read.mocha.push(name)
  }
  return { ...read, resume: read.resume || read.all }
}

function git(...args) {
  const { status, stdout } = spawnSync('git', args, { cwd: project, encoding: 'utf8' })
  return status === 0 ? stdout.trim() : ''
}

function printPlan() {
  console.log(asked.all ? 'The complete matrix' : `The plan of ${plan}`)
  for (const { name, what, files } of runs)
    console.log(`${name.padEnd(32)} ${String(files.length).padStart(4)} files  ${what}`)
}

/** Whether all runs passed. */
function runAll() {
  if (asked.ci) console.log(`The plan of ${plan}. To repeat it: npm run check -- --plan ${plan}`)
  const done = asked.resume ? notedRuns().filter(stands) : []
  const notes = runs
    .filter(isPossible)
    .map(({ name, report }) => done.find((note) => note.name === name) ?? { name, report })
  for (const { report, passedOn } of notes) if (!passedOn) removeReport(report)
  noteRuns(notes)
  const begun = performance.now()
  const results = runs.map((run, index) => {
    const minutes = ((performance.now() - begun) / 60_000).toFixed(1)
    console.log(`\nThe run ${run.name}, ${index + 1} of ${runs.length}, after ${minutes} min: ${run.what}.`)
    return runOne(run, notes)
  })
  const { skipped, passes } = countReports(notes.map(({ report }) => report))
  printSkipped(skipped)
  if (runs.length > 1) printTimes(notes)
  if (passes === 0) console.error('no test has passed')
  return results.every(Boolean) && passes > 0
}

function runOne(run, notes) {
  const note = notes.find(({ name }) => name === run.name)
  if (!note) console.log(`Left out, because there is no MongoDB: ${run.name}.`)
  if (note?.passedOn) console.log(`It has passed before, on ${note.passedOn}.`)
  if (!note || note.passedOn) return true
  const before = stateOf(run)
  const passed = passes(run, note)
  // A part of the tests, or a run with skipped tests, is not the run.
  const whole = passed && asked.mocha.length === 0 && countReports([run.report]).skipped.length === 0
  if (whole && before !== undefined && before === stateOf(run)) note.passedOn = before
  noteRuns(notes)
  return passed
}

/** Whether the chosen tests of these files pass, and no file takes too long. */
function passes({ name, files, env, report, jobs = JOBS, node = process.execPath }, note) {
  // A file may have no test in a run; a run without any test is noticed below.
  const general = `--reporter ./scripts/test-reports.js --parallel --no-fail-zero --jobs ${jobs}`.split(' ')
  const paths = files.map((file) => `dist/test/${file}.test.js`)
  const variables = {
    ...(asked.mocha.length > 0 && { TEST_REPORTER: 'spec' }),
    ...(asked.ci && name !== usual.name && { TEST_PLAN: plan }),
    TEST_REPORT: report,
  }
  const load = otherWork()
  const begun = performance.now()
  const { status, signal } = spawnSync(node, [mocha, ...general, ...paths, ...asked.mocha], {
    cwd: project,
    env: { ...process.env, ...env, ...variables },
    stdio: 'inherit',
  })
  note.seconds = Math.round((performance.now() - begun) / 1000)
  note.busy = load()
  const idle = asked.mocha.length === 0 && countReports([report]).passes === 0
  if (idle) console.error(`No test has passed in the run ${name}.`)
  if (status !== 0) console.error(`The run ${name} ended with ${signal ?? `status ${status}`}.`)
  return status === 0 && !idle && isInTime(note)
}

/** Whether no usual file takes too long; unknown, and so true, if other programs kept the machine busy. */
function isInTime({ name, report, busy }) {
  if (name !== usual.name || busy === undefined || busy > QUIET) return true
  const slow = fileTimes(report).filter(({ seconds }) => seconds > LIMIT)
  for (const { file, seconds } of slow)
    console.error(
      `${file} took ${seconds.toFixed(1)} s: make it faster, or give it to a slow part of scripts/test-plan.js.`,
    )
  return slow.length === 0
}

/** Without a MongoDB its runs are left out, unless it is required: then they fail. */
function isPossible({ needsMongodb }) {
  return !needsMongodb || hasMongodb() || process.env.REQUIRE_MONGODB === '1'
}

/** Commit, plan and Node of a result; `undefined` if a file has changed or if the caller chose other stores. */
function stateOf({ name, node }) {
  const chosen = ['TEST_STORE', 'TEST_TOKENS', 'TEST_MODE', 'TEST_HOST', 'TEST_PLAN']
  if (commit === '' || chosen.some((one) => process.env[one]) || git('status', '--porcelain') !== '')
    return undefined
  const tried = name === usual.name || asked.all ? 'whole' : `plan ${plan.slice(0, 8)}`
  return `${git('rev-parse', 'HEAD')}, ${tried}, Node ${node ?? process.version}`
}

/** Whether a run has passed on the current state, and its report can be counted. */
function stands({ name, report, passedOn }) {
  const run = runs.find((one) => one.name === name)
  return run && passedOn && passedOn === stateOf(run) && countReports([report]).idle.length === 0
}

/** Says which tests were left out: the title of a skipped test names the missing tool in parentheses. */
function printSkipped(skipped) {
  const reasons = skipped.map((title) => /\((no [^)]*)\)/.exec(title)?.[1] ?? title)
  for (const reason of new Set(reasons))
    console.log(`Left out: ${reasons.filter((one) => one === reason).length} tests (${reason})`)
}

function printTimes(notes) {
  console.log('\nSeconds  Passed  Run')
  for (const { name, report, seconds = 0, busy = 0 } of notes) {
    const { passes: passed, failures } = countReports([report])
    const remarks = `${failures > 0 ? `, ${failures} failed` : ''}${busy > QUIET ? ', on a busy machine' : ''}`
    console.log(`${String(seconds).padStart(7)}  ${String(passed).padStart(6)}  ${name}${remarks}`)
  }
  const times = notes.flatMap(({ name, report }) => fileTimes(report).map((time) => ({ ...time, name })))
  const slowest = times.sort((one, other) => other.seconds - one.seconds).slice(0, SHOWN)
  console.log(`\nSeconds  The ${slowest.length} slowest files`)
  for (const { file, seconds, name } of slowest)
    console.log(`${seconds.toFixed(1).padStart(7)}  ${file} (${name})`)
}
