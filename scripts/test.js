// The tests; then those that go through HTTP and the command line once more, with MongoDB as their store, where
// there is one. Arguments go to both runs, so that `npm test -- --grep x` works: then one run may be empty.
import { spawnSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { hasMongodb } from '../dist/test/mongodb/server.js'
import { countReports, MONGODB_REPORT, REPORT } from './reports.js'

const ALL = ['dist/test/**/*.test.js']
const ON_MONGODB = ['dist/test/http/**/*.test.js', 'dist/test/cli/**/*.test.js']
const project = join(import.meta.dirname, '..')
const mocha = createRequire(import.meta.url).resolve('mocha/bin/mocha.js')
const chosen = process.argv.slice(2)
const general = ['--reporter', './scripts/mocha-reporter.js', '--parallel', '--jobs', '3']
if (chosen.length > 0) general.push('--no-fail-zero')

/** Whether all tests of these files that were chosen have passed. */
function run(files, store = {}) {
  const env = { ...process.env, ...store }
  const args = [mocha, ...general, ...files, ...chosen]
  return spawnSync(process.execPath, args, { cwd: project, env, stdio: 'inherit' }).status === 0
}

function runOnMongodb() {
  if (!hasMongodb()) {
    console.log('\nNot run once more on MongoDB, because there is none: HTTP and the command line.')
    return process.env.REQUIRE_MONGODB !== '1'
  }
  console.log('\nOnce more on MongoDB: HTTP and the command line.')
  return run(ON_MONGODB, { TEST_STORE: 'mongodb' })
}

rmSync(dirname(REPORT), { recursive: true, force: true })
const results = [run(ALL), runOnMongodb()]
const { passes } = countReports([REPORT, MONGODB_REPORT])
if (passes === 0) console.error('no test has passed')
process.exitCode = results.every(Boolean) && passes > 0 ? 0 : 1
