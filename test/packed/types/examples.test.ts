import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { expect } from 'chai'
import ts from 'typescript'
import { filesOf, PROJECT } from '../../support/project.js'
import { install } from '../packed.js'

type Versions = Readonly<Record<string, string>>
type Manifest = { readonly dependencies: Versions; readonly devDependencies?: Versions }

/** Readers who write TypeScript add these to the manifests. */
const TYPES = {
  '@types/bun': '^1',
  '@types/deno': '^2',
  '@types/express': '^5',
  '@types/koa': '^3',
  '@types/koa-mount': '^4',
  '@types/mocha': '^10',
  '@types/node': '^22',
  '@types/react': '^19',
  '@types/react-dom': '^19',
}
/** Other globals than the globals of Node. */
const GLOBALS: Readonly<Record<string, readonly string[]>> = { bun: ['bun'], deno: ['node', 'deno'] }
const IN_BROWSERS = ['browser', 'react']

const EXAMPLES = readdirSync(join(PROJECT, 'examples'), { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name)

const OPTIONS: ts.CompilerOptions = {
  target: ts.ScriptTarget.ES2023,
  module: ts.ModuleKind.NodeNext,
  jsx: ts.JsxEmit.ReactJSX,
  allowJs: true,
  checkJs: true,
  strict: true,
  skipLibCheck: true,
  experimentalDecorators: true,
  noEmit: true,
}

/** The folder of an installation that has all packages of all examples. */
async function installAll(): Promise<string> {
  const manifests = EXAMPLES.map(
    (name) => JSON.parse(readFileSync(join(PROJECT, 'examples', name, 'package.json'), 'utf8')) as Manifest,
  )
  const versions = manifests.map(({ dependencies, devDependencies }) => ({
    ...devDependencies,
    ...dependencies,
  }))
  return await install(Object.assign({}, ...versions, TYPES) as Versions)
}

describe('in strict TypeScript', () => {
  let folder: string
  before(async () => {
    folder = await installAll()
    cpSync(join(PROJECT, 'examples'), join(folder, 'examples'), { recursive: true })
  })

  /** The errors of the compiler in the sources of an example. */
  function complaints(name: string, sources: readonly string[]): string[] {
    const lib = [
      'lib.es2023.d.ts',
      ...(IN_BROWSERS.includes(name) ? ['lib.dom.d.ts', 'lib.dom.iterable.d.ts'] : []),
    ]
    const types = [...(GLOBALS[name] ?? ['node'])]
    const typeRoots = [join(folder, 'node_modules', '@types')]
    const files = sources.map((file) => join(folder, file))
    const program = ts.createProgram(files, { ...OPTIONS, lib, types, typeRoots })
    return ts.getPreEmitDiagnostics(program).map(({ file, start, messageText }) => {
      const line = file ? file.getLineAndCharacterOfPosition(start ?? 0).line + 1 : 0
      const message = ts.flattenDiagnosticMessageText(messageText, '\n')
      return `${relative(folder, file?.fileName ?? folder)}:${line} ${message}`
    })
  }

  for (const name of EXAMPLES)
    it(`the example ${name} compiles`, () => {
      const sources = filesOf(`examples/${name}`).filter((file) => /\.(?:jsx?|ts)$/.test(file))
      expect(sources).to.not.be.empty
      expect(complaints(name, sources)).to.deep.equal([])
    })

  it('a mistake in an example is reported', () => {
    mkdirSync(join(folder, 'examples', 'planted'))
    const file = join('examples', 'planted', 'server.mjs')
    const text =
      "import { openKennel } from 'kennel-id'\nawait openKennel({ publicUrl: 1, passphrase: '' })\n"
    writeFileSync(join(folder, file), text)
    expect(complaints('planted', [file])).to.deep.equal([
      "examples/planted/server.mjs:2 Type 'number' is not assignable to type 'string'.",
    ])
  })
})
