// Writes every generated file: `npm run generate`, after which `git diff` shows what changed. With `--check` it writes
// nothing, and exits with 1 if a file is outdated. It needs a complete build. Tests write the approved files for the
// HTTP interface and for permissions.
import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { format, resolveConfig } from 'prettier'
import { DEFAULT_PERMISSIONS } from '../dist/src/domain/access/permission-rules.js'

const textOf = async (module) => (await import(`./reference/${module}.js`)).default
const FILES = {
  'docs/embed/weight.md': () => textOf('weight'),
  'docs/operate/files/permissions.json': () => JSON.stringify(DEFAULT_PERMISSIONS),
  'docs/operate/settings.md': () => textOf('settings'),
  'examples/store-skeleton/store.ts': () => textOf('store-skeleton'),
  'src/client/api.ts': () => textOf('client-types'),
}
const APPROVING = ['application/operation', 'http/endpoints', 'http/recorded-replies'].map(
  (test) => `dist/test/${test}.test.js`,
)

const project = join(import.meta.dirname, '..')
const checks = process.argv.includes('--check')

for (const [file, write] of Object.entries(FILES)) {
  const path = join(project, file)
  const text = await format(await write(), { ...(await resolveConfig(path)), filepath: path })
  if (!checks) writeFileSync(path, text)
  else if (text !== readFileSync(path, 'utf8')) {
    console.error(`${file} is outdated: npm run generate`)
    process.exitCode = 1
  }
}

if (!checks) {
  const mocha = [join(project, 'node_modules/mocha/bin/mocha.js'), '--reporter', 'dot', ...APPROVING]
  const env = { ...process.env, UPDATE: '1', TEST_SERVERS: 'none' }
  process.exitCode = spawnSync(process.execPath, mocha, { cwd: project, env, stdio: 'inherit' }).status ?? 1
}
