// The usual runs of the tests (see runs.js), one after the other, or with --every-run every one. Other arguments
// go to each of them, so that `npm test -- --grep x` works: then a run may be empty.
import { spawnSync } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { hasMongodb } from '../dist/test/support/mongodb/server.js'
import { countReports } from './reports.js'
import { EVERY_RUN, LAST_RUNS, USUAL_RUNS } from './runs.js'

const project = join(import.meta.dirname, '..')
const mocha = createRequire(import.meta.url).resolve('mocha/bin/mocha.js')
const EVERY = '--every-run'
const runs = process.argv.includes(EVERY) ? EVERY_RUN : USUAL_RUNS
const chosen = process.argv.slice(2).filter((one) => one !== EVERY)
// A file may have no test for a run; that a run has none at all is noticed below.
const general = ['--reporter', './scripts/mocha-reporter.js', '--parallel', '--no-fail-zero']
/** One more than there are cores on small machines: many tests wait for servers and child processes. */
const JOBS = 3

/** Whether all tests of these files that were chosen have passed. */
function mochaPasses({ name, files, ignored, env, report, jobs = JOBS }) {
  const left = ignored.flatMap((file) => ['--ignore', file])
  const args = [mocha, ...general, '--jobs', String(jobs), ...left, ...files, ...chosen]
  const all = { ...process.env, ...env, TEST_REPORT: report }
  const { status, signal } = spawnSync(process.execPath, args, { cwd: project, env: all, stdio: 'inherit' })
  const idle = chosen.length === 0 && countReports([report]).passes === 0
  if (idle) console.error(`No test has passed in the run ${name}.`)
  if (status !== 0) console.error(`The run ${name} ended with ${signal ?? `status ${status}`}.`)
  return status === 0 && !idle
}

/** Without MongoDB its run is left out, unless it is required. */
function isPossible({ needsMongodb }) {
  return !needsMongodb || hasMongodb() || process.env.REQUIRE_MONGODB === '1'
}

function passes(run) {
  if (run.needsMongodb && !hasMongodb()) {
    console.log(`\nNot run, because there is no MongoDB: ${run.name}.`)
    return process.env.REQUIRE_MONGODB !== '1'
  }
  console.log(`\nThe run ${run.name}.`)
  return mochaPasses(run)
}

rmSync(dirname(LAST_RUNS), { recursive: true, force: true })
mkdirSync(dirname(LAST_RUNS))
writeFileSync(LAST_RUNS, JSON.stringify(runs.filter(isPossible).map(({ report }) => report)))
const results = runs.map(passes)
const { passes: passed } = countReports(runs.map(({ report }) => report))
if (passed === 0) console.error('no test has passed')
process.exitCode = results.every(Boolean) && passed > 0 ? 0 : 1
