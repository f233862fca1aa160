// The runs of the tests, one after the other: the usual ones (`npm test`), or with --every-run all of them; beside it
// --after-test leaves out what has passed here before, on this very commit. Other arguments go to mocha in each
// run, so that `npm test -- --grep x` works: then a run may be empty.
import { spawnSync } from 'node:child_process'
import { createRequire } from 'node:module'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { hasMongodb } from '../dist/test/support/mongodb/server.js'
import { countReports, notedRuns, noteRuns, removeReports } from './test-reports.js'
import { OTHER_RUNS, runsOnOtherNodes, USUAL_RUNS } from './test-runs.js'

const project = join(import.meta.dirname, '..')
const mocha = createRequire(import.meta.url).resolve('mocha/bin/mocha.js')

const options = process.argv.slice(2)
const [EVERY, AFTER] = ['--every-run', '--after-test']
const chosen = options.filter((one) => one !== EVERY && one !== AFTER)
/** One for each core, and no fewer than three: many tests wait for servers and child processes. */
const JOBS = Math.min(Math.max(availableParallelism(), 3), 8)
// A file may have no test for a run; that a run has none at all is noticed below.
const general = ['--reporter', './scripts/test-reports.js', '--parallel', '--no-fail-zero']

/** Whether all tests of these files that were chosen have passed. */
function passes({ name, files, env, report, needsMongodb, jobs = JOBS, node = process.execPath }) {
  if (needsMongodb && !hasMongodb()) {
    console.log(`\nNot run, because there is no MongoDB: ${name}.`)
    return process.env.REQUIRE_MONGODB !== '1'
  }
  console.log(`\nThe run ${name}.`)
  const args = [mocha, ...general, '--jobs', String(jobs), ...files, ...chosen]
  const all = { ...process.env, ...env, TEST_REPORT: report }
  const { status, signal } = spawnSync(node, args, { cwd: project, env: all, stdio: 'inherit' })
  const idle = chosen.length === 0 && countReports([report]).passes === 0
  if (idle) console.error(`No test has passed in the run ${name}.`)
  if (status !== 0) console.error(`The run ${name} ended with ${signal ?? `status ${status}`}.`)
  return status === 0 && !idle
}

/** Without MongoDB its run is left out, unless it is required. */
function isPossible({ needsMongodb }) {
  return !needsMongodb || hasMongodb() || process.env.REQUIRE_MONGODB === '1'
}

/** What a result stands for: this commit, with this Node; nothing where a file was changed since, or with other stores. */
function stateOfNow() {
  if (['TEST_STORE', 'TEST_TOKENS', 'TEST_MODE', 'TEST_HOST'].some((name) => process.env[name]))
    return undefined
  const git = (...args) => spawnSync('git', args, { cwd: project, encoding: 'utf8' })
  const changes = git('status', '--porcelain')
  if (changes.status !== 0 || changes.stdout !== '') return undefined
  return `${git('rev-parse', 'HEAD').stdout.trim()}, Node ${process.version}`
}

const runs = [...USUAL_RUNS, ...(options.includes(EVERY) ? [...OTHER_RUNS, ...runsOnOtherNodes()] : [])]
const now = stateOfNow()
/** Whether a run was passed on what is here now, and its report can be counted. */
const stands = ({ report, passedOn }) =>
  passedOn && passedOn === now && countReports([report]).idle.length === 0
const done = options.includes(AFTER) ? notedRuns().filter(stands) : []
const notes = runs
  .filter(isPossible)
  .map(({ report }) => done.find((one) => one.report === report) ?? { report })
removeReports(done)
noteRuns(notes)
const results = runs.map((one) => {
  const note = notes.find(({ report }) => report === one.report)
  if (note?.passedOn) {
    console.log(`\nThe run ${one.name} has passed before, on ${note.passedOn}.`)
    return true
  }
  const passed = passes(one)
  // A part of the tests, or with some skipped, is not the run.
  const whole = passed && note && chosen.length === 0 && countReports([one.report]).skipped.length === 0
  if (whole && now === stateOfNow()) note.passedOn = now
  noteRuns(notes)
  return passed
})
const { passes: passed } = countReports(notes.map(({ report }) => report))
if (passed === 0) console.error('no test has passed')
process.exitCode = results.every(Boolean) && passed > 0 ? 0 : 1
