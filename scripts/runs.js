// The runs of the tests: all of them, then those that go through HTTP, or HTTP and the command line, once more
// for each store, token format and mode that the service can be configured with.
import { join } from 'node:path'

const project = join(import.meta.dirname, '..')
const HTTP = ['dist/test/http/**/*.test.js']
// Without those that need no store, or choose their stores themselves.
const CLI = [
  'lists',
  'other-commands',
  'serve',
  'stateless',
  'surroundings',
  'under-load',
  'user',
  'user-import',
]
const COMMANDS = CLI.map((name) => `dist/test/cli/${name}.test.js`)
const IDENTITY = ['identity', 'project', 'server'].map((folder) => `dist/test/http/${folder}/**/*.test.js`)

/** The first is the whole suite; a run that needs MongoDB is left out where there is none. */
export const RUNS = [
  run('all', ['dist/test/**/*.test.js'], {}),
  run('mongodb', [...HTTP, ...COMMANDS], { TEST_STORE: 'mongodb' }),
  run('eddsa', IDENTITY, { TEST_TOKENS: 'EdDSA' }),
  run('paseto', IDENTITY, { TEST_TOKENS: 'v4.public' }),
  run('stateless', IDENTITY, { TEST_MODE: 'stateless' }),
  run('stateless-eddsa', IDENTITY, { TEST_MODE: 'stateless', TEST_TOKENS: 'EdDSA' }),
  run('stateless-paseto', IDENTITY, { TEST_MODE: 'stateless', TEST_TOKENS: 'v4.public' }),
]

function run(name, files, env) {
  return {
    name,
    files,
    env,
    needsMongodb: name === 'mongodb',
    report: join(project, 'reports', `mocha-${name}.json`),
  }
}
