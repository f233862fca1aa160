// The runs of the tests: nearly all of them, then those that go through HTTP, or the command line, once more
// for each store, token format and mode that the service can be configured with. The usual ones take five minutes.
import { join } from 'node:path'

const project = join(import.meta.dirname, '..')
const HTTP = ['dist/test/http/**/*.test.js']
const COMMANDS = ['dist/test/cli/**/*.test.js']
// They need no store, or choose their stores themselves.
const WITHOUT_STORE = ['help', 'store-copy', 'terminal', 'unusable-store'].map(
  (name) => `dist/test/cli/${name}.test.js`,
)
const IDENTITY = ['identity', 'project', 'server'].map((folder) => `dist/test/http/${folder}/**/*.test.js`)

const ON_MONGODB = { TEST_STORE: 'mongodb' }
// The same laws as on a server of its own, at the pace of three.
const REPLICA_SET = ['dist/test/contracts/mongodb-replica-set.test.js']

// The package as it is installed: this needs the registry.
const PACKAGE = ['dist/test/packed/**/*.test.js']

// Real browsers, thousands of requests of a fuzzer, and an image that is built, take their time.
const BROWSER = ['dist/test/browser/**/*.test.js']
const FUZZ = ['dist/test/fuzz/**/*.test.js']
const OPERATIONS = ['dist/test/operations/**/*.test.js']

// Servers of their own, or three, that are killed, cut off and slowed down.
const ERRORS = ['dist/test/mongodb-faults/**/*.test.js']
// All laws under three runners.
const CUSTOM_STORE = ['dist/test/examples/custom-store.test.js']
// What has nothing to do with a store.
const STORELESS = ['description', 'server'].map((folder) => `dist/test/http/${folder}/**/*.test.js`)

const LONG = [REPLICA_SET, ERRORS, PACKAGE, CUSTOM_STORE, BROWSER, FUZZ, OPERATIONS].flat()

/** The suite, and once more what differs by the store most. */
export const USUAL_RUNS = [
  run('all', ['dist/test/**/*.test.js'], {}, LONG),
  run('mongodb', HTTP, ON_MONGODB, STORELESS),
]

/** The usual ones, and what takes too long for every run. */
export const EVERY_RUN = [
  ...USUAL_RUNS,
  run('mongodb-commands', COMMANDS, ON_MONGODB, WITHOUT_STORE),
  run('mongodb-replica-set', REPLICA_SET, {}),
  // Each has servers, a service and a load of its own, and elections have to be over in time.
  { ...run('mongodb-faults', ERRORS, {}), jobs: 2 },
  withoutServer('package', {}, [...PACKAGE, ...CUSTOM_STORE]),
  withoutServer('browser', {}, BROWSER),
  withoutServer('fuzz', {}, FUZZ),
  run('operations', OPERATIONS, {}),
  withoutServer('eddsa', { TEST_TOKENS: 'EdDSA' }),
  withoutServer('paseto', { TEST_TOKENS: 'v4.public' }),
  withoutServer('stateless', { TEST_MODE: 'stateless' }),
  withoutServer('stateless-eddsa', { TEST_MODE: 'stateless', TEST_TOKENS: 'EdDSA' }),
  withoutServer('stateless-paseto', { TEST_MODE: 'stateless', TEST_TOKENS: 'v4.public' }),
]

/** The MongoDB server of a run is not started where no test uses it. */
function withoutServer(name, env, files = IDENTITY) {
  return run(name, files, { ...env, TEST_MONGODB_SERVER: 'none' })
}

function run(name, files, env, ignored = []) {
  return {
    name,
    files,
    ignored,
    env,
    needsMongodb: name.startsWith('mongodb'),
    report: join(project, 'reports', `mocha-${name}.json`),
  }
}

/** Where the runs leave the paths of their reports, for the count. */
export const LAST_RUNS = join(project, 'reports', 'runs.json')
