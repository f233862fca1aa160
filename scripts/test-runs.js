// What the runs of the tests are: which files each has, which it leaves out, and what it is told of the store, the tokens,
// the mode and the host.
import { execFileSync } from 'node:child_process'
import { delimiter, dirname, join } from 'node:path'
import { memoryFolder } from '../dist/test/support/memory-folder.js'
import { filesBelow } from './files.js'
import { reportOf } from './test-reports.js'

const TESTS = filesBelow(join(import.meta.dirname, '..', 'dist/test'), '.test.js').map(
  (file) => `dist/test/${file}`,
)
const below = (...folders) => folders.map((folder) => `dist/test/${folder}/**/*.test.js`)
const inFolder = (folder, ...names) => names.map((name) => `dist/test/${folder}/${name}.test.js`)

// Files that take a minute and more: they begin first, so that no run ends with one of them and idle cores.
const LONGEST = [
  ...inFolder('architecture', 'test-runs'),
  ...inFolder('browser', 'api-page', 'api-page-logins'),
  ...inFolder('contracts', 'mongodb', 'mongodb-replica-set', 'sqlite'),
  ...inFolder('durability', 'kill-*'),
  ...inFolder('examples', 'custom-store'),
  ...inFolder('fuzz', 'catalogue', 'identity'),
  ...inFolder('handbook', 'embed', 'http', 'operate-*', 'other-languages'),
  ...inFolder('mongodb-faults', 'fail-points'),
  ...inFolder('packed', 'custom-store', 'examples', 'hosts', 'types/compilers'),
]

// Functions of the HTTP interface, called without any server.
const SERVERLESS = below('http/request', 'http/reply')
// What has nothing to do with a store, or chooses its stores itself.
const STORELESS = [
  ...SERVERLESS,
  ...below('http/description', 'http/server'),
  ...inFolder('cli', 'help', 'store-copy', 'store-module', 'terminal', 'unusable-store', 'workers-log'),
]
const IDENTITY = below('http/identity', 'http/project', 'http/server')
/** Of runs that neither install packages nor try what a disk does. */
const folder = memoryFolder()
const IN_MEMORY = folder === undefined ? {} : { TMPDIR: folder }
const ON_MONGODB = { ...IN_MEMORY, TEST_STORE: 'mongodb' }

// The HTTP interface in its other host, also as the client, a browser and a fuzzer find it; but for what is about Koa,
// the server below it, or the description alone.
const ON_WEB = { ...IN_MEMORY, TEST_HOST: 'web' }
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
  // What takes longest comes first.
  ...below('handbook', 'durability', 'documentation', 'architecture'),
  ...inFolder('adapters/**', 'processes', 'explain'),
  ...inFolder('cli', 'under-load', 'store-module', 'workers', 'workers-log', 'workers-metrics'),
  ...inFolder('examples', 'users-table'),
  ...inFolder('http/description', 'examples', 'linter'),
  ...inFolder('application/identity/token-signer', 'mutations'),
  ...inFolder('embedding', 'hostile'),
]
// What is tried dozens of times over, and what starts a program or a service for each test: more than half the time
// of all the usual tests.
const SLOW = [
  ...below('bench', 'adapters/pino/log', 'contracts/mailer'),
  ...inFolder('adapters', 'keyring/guessable', 'web/same-replies'),
  ...inFolder('adapters/jose/token-format', 'same-bytes'),
  ...inFolder('adapters/nodemailer', 'recipient', 'smtp-mailer/outcomes', 'smtp-mailer/security'),
  ...inFolder('application/accounts', 'remove-account'),
  ...inFolder('application/mail', 'mail-workers', 'send-mails', 'sift-mails'),
  ...inFolder(
    'http/identity',
    'delete-account',
    'impersonation-ends',
    'refresh-races',
    'refresh-together',
    'reset-mail-limit',
    'reset-races',
    'rotation',
    'stateless-refresh',
    'store-lost-midway',
  ),
  ...inFolder(
    'cli',
    'few-descriptors',
    'folders-and-streams',
    'lists',
    'loading',
    'own-process',
    'serve*',
    'store-copy',
    'terminal',
    'unusable-store',
    'user-import',
  ),
  ...inFolder('http/server', 'log-injection', 'pipelining'),
  ...inFolder('http/pets', 'basic-flood', 'walk'),
  ...inFolder('client', 'package'),
  ...inFolder('embedding/**', 'open', 'part-error', 'partial-store'),
  ...inFolder('application/copy-store', 'while-written'),
  ...inFolder('contracts/token-format', 'token-format'),
  ...inFolder('domain/messages', 'every-input'),
]
// The adapter of MongoDB, with the laws on one server and, at the pace of three, on a replica set.
const REPLICA_SET = inFolder('contracts', 'mongodb-replica-set')
const MONGODB = [...REPLICA_SET, ...inFolder('contracts', 'mongodb'), ...below('adapters/mongodb')]
// Servers of their own, or three, that are killed, cut off and slowed down.
const FAULTS = below('mongodb-faults')
// The package as it is installed, which needs the registry; all laws under three runners.
const PACKAGE = [...below('packed'), ...inFolder('examples', 'custom-store')]
// The handbook as a site, whose packages need the registry, in a browser.
const SITE = below('site')
const [BROWSER, FUZZ, OPERATIONS] = [below('browser'), below('fuzz'), below('operations')]
const LONG = [THOROUGH, REPLICA_SET, FAULTS, PACKAGE, SITE, BROWSER, FUZZ, OPERATIONS].flat()

/** What a developer waits for at every turn: the suite, with the laws on the stores that need no server. */
export const USUAL_RUNS = [run('all', ['dist/test/**/*.test.js'], IN_MEMORY, [...LONG, ...MONGODB, ...SLOW])]

/** What takes longer, and once more what differs by the store, the format of tokens and the mode. */
export const OTHER_RUNS = [
  run('thorough', [...THOROUGH, ...SLOW], {}),
  run('mongodb', MONGODB, IN_MEMORY, THOROUGH),
  run('mongodb-http', below('http'), ON_MONGODB, STORELESS),
  run('mongodb-commands', below('cli'), ON_MONGODB, STORELESS),
  // Each has servers, a service and a load of its own, and elections have to be over in time.
  { ...run('mongodb-faults', FAULTS, {}), jobs: 2 },
  // Half of the time it waits for the registry.
  { ...withoutServer('package', {}, PACKAGE), jobs: 6 },
  withoutServer('site', {}, SITE),
  withoutServer('browser', {}, BROWSER),
  withoutServer('fuzz', {}, FUZZ),
  run('operations', OPERATIONS, {}),
  withoutServer('web', ON_WEB, HOSTED, HOSTLESS),
  withoutServer('web-stateless', { ...ON_WEB, TEST_MODE: 'stateless' }, IDENTITY, HOSTLESS),
  withoutServer('eddsa', { ...IN_MEMORY, TEST_TOKENS: 'EdDSA' }),
  withoutServer('paseto', { ...IN_MEMORY, TEST_TOKENS: 'v4.public' }),
  withoutServer('stateless', { ...IN_MEMORY, TEST_MODE: 'stateless' }),
  withoutServer('stateless-eddsa', { ...IN_MEMORY, TEST_MODE: 'stateless', TEST_TOKENS: 'EdDSA' }),
  withoutServer('stateless-paseto', { ...IN_MEMORY, TEST_MODE: 'stateless', TEST_TOKENS: 'v4.public' }),
]

/** The usual tests, the slow ones and those of MongoDB once more on each other Node that NODE_BINARIES lists, separated as on PATH. */
export function runsOnOtherNodes() {
  const nodes = (process.env.NODE_BINARIES ?? '').split(delimiter).filter((binary) => binary !== '')
  const majorOf = (binary) => /\d+/.exec(execFileSync(binary, ['--version'], { encoding: 'utf8' }))[0]
  const others = new Map(nodes.map((binary) => [majorOf(binary), binary]))
  others.delete(majorOf(process.execPath))
  return Array.from(others, ([major, node]) => {
    const PATH = `${dirname(node)}${delimiter}${process.env.PATH}`
    return { ...run(`node-${major}`, ['dist/test/**/*.test.js'], { ...IN_MEMORY, PATH }, LONG), node }
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
function run(name, patterns, env, ignored = []) {
  const idle = [...patterns, ...ignored].filter((pattern) => !TESTS.some(isOf([pattern])))
  if (idle.length > 0) throw new Error(`the run ${name} names what is not there: ${idle.join(', ')}`)
  const files = TESTS.filter((file) => isOf(patterns)(file) && !isOf(ignored)(file))
  const inOrder = [...files.filter(isOf(LONGEST)), ...files.filter((file) => !isOf(LONGEST)(file))]
  return { name, files: inOrder, env, needsMongodb: name.startsWith('mongodb'), report: reportOf(name) }
}

function isOf(patterns) {
  return (file) => patterns.some((pattern) => namedBy(pattern).test(file))
}
