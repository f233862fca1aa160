// Writes the generated references of docs/operate. With `--check` it writes nothing and ends with 1 if a page is
// outdated. Reads a build: dist, or the given folder.
import { readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { format, resolveConfig } from 'prettier'
import { builtInPermissions, permissionReference } from './reference/permissions.js'
import { settingsReference } from './reference/settings.js'

const FILES = {
  'settings.md': settingsReference,
  'permission-reference.md': permissionReference,
  'files/permissions.json': builtInPermissions,
}
const NOTE = '<!-- Written by scripts/write-reference-pages.js: change its sources, not this page. -->'

const project = join(import.meta.dirname, '..')
const { values, positionals } = parseArgs({ options: { check: { type: 'boolean' } }, allowPositionals: true })
const build = join(resolve(positionals[0] ?? join(project, 'dist')), 'src')

for (const [name, contentOf] of Object.entries(FILES)) {
  const path = join(project, 'docs', 'operate', name)
  const content = await contentOf(build)
  const noted = name.endsWith('.md') ? content.replace('\n', `\n\n${NOTE}\n`) : content
  const file = await format(noted, { ...(await resolveConfig(path)), filepath: path })
  if (!values.check) writeFileSync(path, file)
  else if (file !== readFileSync(path, 'utf8')) {
    console.error(`docs/operate/${name} is behind its source: node scripts/write-reference-pages.js`)
    process.exitCode = 1
  }
}
