// `npm version X.Y.Z --no-git-tag-version` sets the version of the manifest and the lock, and then runs this
// script. It writes the version into the examples and the sources, and changes the first section of the
// changelog: a release renames `Unreleased`, and a version that ends in `-dev` adds a new `Unreleased`.
// docs/contribute/release.md has the steps.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const project = join(import.meta.dirname, '..')
const { version } = JSON.parse(readFileSync(join(project, 'package.json'), 'utf8'))
const isRelease = !version.endsWith('-dev')
const today = new Date().toISOString().slice(0, 10)

function replaceIn(path, pattern, replacement) {
  const text = readFileSync(join(project, path), 'utf8')
  if (!pattern.test(text)) throw new Error(`${path} contains nothing that matches ${pattern}`)
  writeFileSync(join(project, path), text.replace(pattern, replacement))
}

const examples = readdirSync(join(project, 'examples'), { withFileTypes: true })
for (const { name } of examples.filter((entry) => entry.isDirectory()))
  replaceIn(`examples/${name}/package.json`, /"kennel-id": "[^"]*"/, `"kennel-id": "^${version}"`)
replaceIn('src/domain/version.ts', /^export const VERSION = '.*'$/m, `export const VERSION = '${version}'`)
if (isRelease) {
  replaceIn('CHANGELOG.md', /^## Unreleased$/m, `## ${version} - ${today}`)
  replaceIn('docs/operate/upgrade.md', /^VERSION=.*$/m, `VERSION=${version}`)
  for (const page of ['production', 'systemd'])
    replaceIn(`docs/operate/${page}.md`, /--branch v\S+/, `--branch v${version}`)
} else if (!readFileSync(join(project, 'CHANGELOG.md'), 'utf8').includes('\n## Unreleased\n'))
  replaceIn('CHANGELOG.md', /^## (?=\d)/m, '## Unreleased\n\n## ')
