// `npm version X.Y.Z --no-git-tag-version` runs this script, which writes the version into the examples and the sources. In the changelog, a
// release renames `Unreleased`, and a version that ends in `-dev` adds it again. docs/contribute/release.md has the steps.
import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { jsonOf, PROJECT, textOf } from './files.js'

const { version } = jsonOf('package.json')
const isRelease = !version.endsWith('-dev')

function replaceIn(path, pattern, replacement) {
  const text = textOf(path)
  if (!pattern.test(text)) throw new Error(`${path} contains nothing that matches ${pattern}`)
  writeFileSync(join(PROJECT, path), text.replace(pattern, replacement))
}

const examples = readdirSync(join(PROJECT, 'examples'), { withFileTypes: true })
for (const { name } of examples.filter((entry) => entry.isDirectory()))
  replaceIn(`examples/${name}/package.json`, /"kennel-id": "[^"]*"/, `"kennel-id": "^${version}"`)
replaceIn('src/domain/version.ts', /^export const VERSION = '.*'$/m, `export const VERSION = '${version}'`)
if (isRelease) {
  replaceIn('CHANGELOG.md', /^## Unreleased$/m, `## ${version} - ${new Date().toISOString().slice(0, 10)}`)
  replaceIn('docs/operate/upgrade.md', /^VERSION=.*$/m, `VERSION=${version}`)
  for (const page of ['production', 'systemd'])
    replaceIn(`docs/operate/${page}.md`, /--branch v\S+/, `--branch v${version}`)
} else if (!textOf('CHANGELOG.md').includes('\n## Unreleased\n'))
  replaceIn('CHANGELOG.md', /^## (?=\d)/m, '## Unreleased\n\n## ')
