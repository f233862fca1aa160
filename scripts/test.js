// Every run of the tests (see runs.js), one after the other. Arguments go to each of them, so that
// `npm test -- --grep x` works: then a run may be empty.
import { spawnSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { hasMongodb } from '../dist/test/mongodb/server.js'
import { countReports } from './reports.js'
import { RUNS } from './runs.js'

const project = join(import.meta.dirname, '..')
const mocha = createRequire(import.meta.url).resolve('mocha/bin/mocha.js')
const chosen = process.argv.slice(2)
// One more than there are cores on small machines: many tests wait for servers and child processes.
const general = ['--reporter', './scripts/mocha-reporter.js', '--parallel', '--jobs', '3']
if (chosen.length > 0) general.push('--no-fail-zero')

/** Whether all tests of these files that were chosen have passed. */
function mochaPasses({ files, env, report }) {
  const args = [mocha, ...general, ...files, ...chosen]
  const all = { ...process.env, ...env, TEST_REPORT: report }
  return spawnSync(process.execPath, args, { cwd: project, env: all, stdio: 'inherit' }).status === 0
}

function passes(run) {
  if (run.needsMongodb && !hasMongodb()) {
    console.log(`\nNot run, because there is no MongoDB: ${run.name}.`)
    return process.env.REQUIRE_MONGODB !== '1'
  }
  console.log(`\nThe run ${run.name}.`)
  return mochaPasses(run)
}

rmSync(dirname(RUNS[0].report), { recursive: true, force: true })
const results = RUNS.map(passes)
const { passes: passed } = countReports(RUNS.map(({ report }) => report))
if (passed === 0) console.error('no test has passed')
process.exitCode = results.every(Boolean) && passed > 0 ? 0 : 1
