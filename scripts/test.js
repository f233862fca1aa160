// The runs of the tests, one after the other: the usual ones (`npm test`), or with --every-run all of them; beside it
// --after-test leaves out what has passed here before, on this very commit. Other arguments go to mocha in each
// run, so that `npm test -- --grep x` works: then a run may be empty.
import { execFileSync, spawnSync } from 'node:child_process'
import { createRequire } from 'node:module'
import { availableParallelism } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { hasMongodb } from '../dist/test/support/mongodb/server.js'
import { filesBelow } from './files.js'
import { countReports, notedRuns, noteRuns, removeReports, reportOf } from './test-reports.js'

const project = join(import.meta.dirname, '..')
const mocha = createRequire(import.meta.url).resolve('mocha/bin/mocha.js')
const TESTS = filesBelow(join(project, 'dist/test'), '.test.js').map((file) => `dist/test/${file}`)
const below = (...folders) => folders.map((folder) => `dist/test/${folder}/**/*.test.js`)
const inFolder = (folder, ...names) => names.map((name) => `dist/test/${folder}/${name}.test.js`)

// Functions of the HTTP interface, called without any server.
const SERVERLESS = below('http/request', 'http/reply')
// What has nothing to do with a store, or chooses its stores itself.
const STORELESS = [
  ...SERVERLESS,
  ...below('http/description', 'http/server'),
  ...inFolder('cli', 'help', 'store-copy', 'store-module', 'terminal', 'unusable-store', 'workers-log'),
]
const IDENTITY = below('http/identity', 'http/project', 'http/server')
const ON_MONGODB = { TEST_STORE: 'mongodb' }

// The HTTP interface in its other host, also as the client, a browser and a fuzzer find it; but for what is about Koa,
// the server below it, or the description alone.
const ON_WEB = { TEST_HOST: 'web' }
const HOSTED = [...below('http', 'client', 'fuzz'), ...inFolder('browser', 'example', 'foreign-page')]
const HOSTLESS = [
  ...SERVERLESS,
  ...inFolder('http/server', 'drain', 'max-connections', 'mounted', 'pipelining'),
  ...inFolder('http/description', 'configured', 'examples', 'linter'),
  ...inFolder('client', 'cookie-jar', 'options', 'package'),
]

// Programs that are started by the dozen, killed, and put under load together; pages that are followed word by word;
// all sources at once, and the API description in the tools of others; inputs by the ten thousand.
const THOROUGH = [
  ...below('durability', 'documentation', 'architecture'),
  ...inFolder('adapters/**', 'processes', 'explain'),
  ...inFolder('cli', 'under-load', 'store-module', 'workers', 'workers-log', 'workers-metrics'),
  ...inFolder('examples', 'users-table'),
  ...inFolder('http/description', 'linter'),
  ...inFolder('application/identity/token-signer', 'mutations'),
  ...inFolder('embedding', 'hostile'),
]
// The same laws as on a server of its own, at the pace of three.
const REPLICA_SET = inFolder('contracts', 'mongodb-replica-set')
// Servers of their own, or three, that are killed, cut off and slowed down.
const FAULTS = below('mongodb-faults')
// The package as it is installed, which needs the registry; all laws under three runners.
const PACKAGE = [...below('packed'), ...inFolder('examples', 'custom-store')]
const [BROWSER, FUZZ, OPERATIONS] = [below('browser'), below('fuzz'), below('operations')]
const LONG = [THOROUGH, REPLICA_SET, FAULTS, PACKAGE, BROWSER, FUZZ, OPERATIONS].flat()

/** What a developer waits for at every turn: the suite, with the laws on every store. */
const USUAL_RUNS = [run('all', ['dist/test/**/*.test.js'], {}, LONG)]

/** What takes longer, and once more what differs by the store, the format of tokens and the mode. */
const OTHER_RUNS = [
  run('thorough', THOROUGH, {}),
  run('mongodb', below('http'), ON_MONGODB, STORELESS),
  run('mongodb-commands', below('cli'), ON_MONGODB, STORELESS),
  run('mongodb-replica-set', REPLICA_SET, {}),
  // Each has servers, a service and a load of its own, and elections have to be over in time.
  { ...run('mongodb-faults', FAULTS, {}), jobs: 2 },
  withoutServer('package', {}, PACKAGE),
  withoutServer('browser', {}, BROWSER),
  withoutServer('fuzz', {}, FUZZ),
  run('operations', OPERATIONS, {}),
  withoutServer('web', ON_WEB, HOSTED, HOSTLESS),
  withoutServer('web-stateless', { ...ON_WEB, TEST_MODE: 'stateless' }, IDENTITY, HOSTLESS),
  withoutServer('eddsa', { TEST_TOKENS: 'EdDSA' }),
  withoutServer('paseto', { TEST_TOKENS: 'v4.public' }),
  withoutServer('stateless', { TEST_MODE: 'stateless' }),
  withoutServer('stateless-eddsa', { TEST_MODE: 'stateless', TEST_TOKENS: 'EdDSA' }),
  withoutServer('stateless-paseto', { TEST_MODE: 'stateless', TEST_TOKENS: 'v4.public' }),
]

/** The usual tests once more on each other Node that NODE_BINARIES lists, separated as on PATH. */
function runsOnOtherNodes() {
  const nodes = (process.env.NODE_BINARIES ?? '').split(delimiter).filter((binary) => binary !== '')
  const majorOf = (binary) => /\d+/.exec(execFileSync(binary, ['--version'], { encoding: 'utf8' }))[0]
  const others = new Map(nodes.map((binary) => [majorOf(binary), binary]))
  others.delete(majorOf(process.execPath))
  return Array.from(others, ([major, node]) => {
    const PATH = `${dirname(node)}${delimiter}${process.env.PATH}`
    return { ...run(`node-${major}`, ['dist/test/**/*.test.js'], { PATH }, LONG), node }
  })
}

function namedBy(pattern) {
  const source = pattern
    .replaceAll('.', '\\.')
    .replace(/\*\*\/|\*/g, (stars) => (stars === '*' ? '[^/]*' : '(.*/)?'))
  return new RegExp(`^${source}$`)
}

/** The MongoDB server of a run is not started where no test uses it. */
function withoutServer(name, env, files = IDENTITY, ignored = []) {
  return run(name, files, { ...env, TEST_MONGODB_SERVER: 'none' }, ignored)
}

/** A pattern that no file goes by any more would leave its tests out, or in, unseen. */
function run(name, files, env, ignored = []) {
  const idle = [...files, ...ignored].filter((pattern) => !TESTS.some((file) => namedBy(pattern).test(file)))
  if (idle.length > 0) throw new Error(`the run ${name} names what is not there: ${idle.join(', ')}`)
  return { name, files, ignored, env, needsMongodb: name.startsWith('mongodb'), report: reportOf(name) }
}

const options = process.argv.slice(2)
const [EVERY, AFTER] = ['--every-run', '--after-test']
const chosen = options.filter((one) => one !== EVERY && one !== AFTER)
/** One for each core, and no fewer than three: many tests wait for servers and child processes. */
const JOBS = Math.min(Math.max(availableParallelism(), 3), 8)
// A file may have no test for a run; that a run has none at all is noticed below.
const general = ['--reporter', './scripts/test-reports.js', '--parallel', '--no-fail-zero']

/** Whether all tests of these files that were chosen have passed. */
function passes({ name, files, ignored, env, report, needsMongodb, jobs = JOBS, node = process.execPath }) {
  if (needsMongodb && !hasMongodb()) {
    console.log(`\nNot run, because there is no MongoDB: ${name}.`)
    return process.env.REQUIRE_MONGODB !== '1'
  }
  console.log(`\nThe run ${name}.`)
  const left = ignored.flatMap((file) => ['--ignore', file])
  const args = [mocha, ...general, '--jobs', String(jobs), ...left, ...files, ...chosen]
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
