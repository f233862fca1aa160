// The runs of the tests: all of them, then those that go through HTTP, or HTTP and the command line, once more
// for each store, token format and mode that the service can be configured with. The usual ones take five minutes.
import { join } from 'node:path'

const project = join(import.meta.dirname, '..')
const HTTP = ['dist/test/http/**/*.test.js']
const COMMANDS = ['dist/test/cli/**/*.test.js']
// They need no store, or choose their stores themselves.
const WITHOUT_STORE = ['help', 'store-copy', 'terminal'].map((name) => `dist/test/cli/${name}.test.js`)
const IDENTITY = ['identity', 'project', 'server'].map((folder) => `dist/test/http/${folder}/**/*.test.js`)

/** The whole suite, and what differs by the store; it needs MongoDB. */
export const USUAL_RUNS = [
  run('all', ['dist/test/**/*.test.js'], {}),
  run('mongodb', [...HTTP, ...COMMANDS], { TEST_STORE: 'mongodb' }, WITHOUT_STORE),
]

/** The usual ones, and what differs by the tokens. */
export const EVERY_RUN = [
  ...USUAL_RUNS,
  withoutServer('eddsa', { TEST_TOKENS: 'EdDSA' }),
  withoutServer('paseto', { TEST_TOKENS: 'v4.public' }),
  withoutServer('stateless', { TEST_MODE: 'stateless' }),
  withoutServer('stateless-eddsa', { TEST_MODE: 'stateless', TEST_TOKENS: 'EdDSA' }),
  withoutServer('stateless-paseto', { TEST_MODE: 'stateless', TEST_TOKENS: 'v4.public' }),
]

/** The MongoDB server of a run is not started where nobody asks it. */
function withoutServer(name, env) {
  return run(name, IDENTITY, { ...env, TEST_MONGODB_SERVER: 'none' })
}

function run(name, files, env, ignored = []) {
  return {
    name,
    files,
    ignored,
    env,
    needsMongodb: name === 'mongodb',
    report: join(project, 'reports', `mocha-${name}.json`),
  }
}

/** Where the runs that were asked for leave their reports' paths, for whoever counts them. */
export const LAST_RUNS = join(project, 'reports', 'runs.json')
