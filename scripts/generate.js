// Writes every generated file; tests write the approved files for the HTTP interface and for permissions. With `--check` it writes nothing,
// and exits with 1 if a file is outdated. It needs a complete build.
import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { format, resolveConfig } from 'prettier'
import { DEFAULT_PERMISSIONS } from '../dist/src/domain/access/permission-rules.js'
import { PROJECT, textOf } from './files.js'

const generated = async (module) => (await import(`./reference/${module}.js`)).default
const FILES = {
  'docs/embed/weight.md': () => generated('weight'),
  'docs/operate/files/permissions.json': () => JSON.stringify(DEFAULT_PERMISSIONS),
  'docs/operate/settings.md': () => generated('settings'),
  'examples/store-skeleton/store.ts': () => generated('store-skeleton'),
  'src/client/api.ts': () => generated('client-types'),
}
const APPROVING = ['application/operation', 'http/endpoints', 'http/recorded-replies'].map(
  (test) => `dist/test/${test}.test.js`,
)

const checks = process.argv.includes('--check')

for (const [file, write] of Object.entries(FILES)) {
  const path = join(PROJECT, file)
  const text = await format(await write(), { ...(await resolveConfig(path)), filepath: path })
  if (!checks) writeFileSync(path, text)
  else if (text !== textOf(path)) {
    console.error(`${file} is outdated: npm run generate`)
    process.exitCode = 1
  }
}

if (!checks) {
  const mocha = [join(PROJECT, 'node_modules/mocha/bin/mocha.js'), '--reporter', 'dot', ...APPROVING]
  const env = { ...process.env, UPDATE: '1', TEST_SERVERS: 'none' }
  process.exitCode = spawnSync(process.execPath, mocha, { cwd: PROJECT, env, stdio: 'inherit' }).status ?? 1
}
