import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import ts from 'typescript'
import { filesOf, PROJECT, textOf } from '../support/project.js'

type Versions = Readonly<Record<string, string>>
type Manifest = {
  readonly dependencies: Versions
  readonly devDependencies?: Versions
  readonly optionalDependencies?: Versions
}
const manifestIn = (...path: readonly string[]) => JSON.parse(textOf(...path, 'package.json')) as Manifest

const EXAMPLES = readdirSync(join(PROJECT, 'examples'), { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name)

const { optionalDependencies: INSTALLED_WITH_KENNEL } = manifestIn()

/** The packages that a source imports, except the built-in modules of Node and Bun. */
function packagesIn(source: string): string[] {
  return ts
    .preProcessFile(source, true, true)
    .importedFiles.map(({ fileName }) => /^(?:@[^/]+\/)?[^/]+/.exec(fileName)?.[0] ?? '.')
    .filter((name) => !/^[.]|^(?:node|bun):/.test(name))
}

describe('an example', () => {
  for (const name of EXAMPLES)
    it(`imports only packages that are in its manifest: ${name}`, () => {
      const files = filesOf(`examples/${name}`).filter((file) => /\.[jt]sx?$/.test(file))
      const imported = new Set(files.flatMap((file) => packagesIn(textOf(file))))
      const { dependencies, devDependencies } = manifestIn('examples', name)
      const named = { ...dependencies, ...devDependencies, ...INSTALLED_WITH_KENNEL }
      expect(imported).to.include('kennel-id')
      expect(Object.keys(named)).to.include.members([...imported])
    })
})
