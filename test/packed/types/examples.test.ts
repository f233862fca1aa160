import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { expect } from 'chai'
import ts from 'typescript'
import { filesOf, PROJECT } from '../../support/project.js'
import { install } from '../packed.js'

type Versions = Readonly<Record<string, string>>
type Manifest = { readonly dependencies: Versions; readonly devDependencies?: Versions }

/** Readers who write TypeScript add these packages to the manifests. */
const TYPES = {
  '@types/bun': '^1',
  '@types/deno': '^2',
  '@types/express': '^5',
  '@types/koa': '^3',
  '@types/koa-mount': '^4',
  '@types/mocha': '^10',
  '@types/node': '^22',
  '@types/pg': '^8',
  '@types/react': '^19',
  '@types/react-dom': '^19',
}
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

/** An example with a mistake, which shows that the compiler checks the examples. */
const PLANTED = {
  file: join('examples', 'planted', 'server.mjs'),
  text: "import { openKennel } from 'kennel-id'\nawait openKennel({ publicUrl: 1, passphrase: '' })\n",
}

describe('in strict TypeScript', () => {
  let folder: string
  before(async () => {
    folder = await installAll()
    cpSync(join(PROJECT, 'examples'), join(folder, 'examples'), { recursive: true })
    mkdirSync(dirname(join(folder, PLANTED.file)))
    writeFileSync(join(folder, PLANTED.file), PLANTED.text)
  })

  /**
   * The compilation errors for each set of globals. Examples with the same globals are compiled together, so that packages are read only
   * once.
   */
  const found = new Map<string, readonly Complaint[]>()

  function compiled(globals: Globals): readonly Complaint[] {
    const key = JSON.stringify(globals)
    const known = found.get(key)
    if (known) return known
    const names = [...EXAMPLES, 'planted'].filter((name) => JSON.stringify(globalsOf(name)) === key)
    const typeRoots = [join(folder, 'node_modules', '@types')]
    const files = names.flatMap((name) => sourcesOf(name)).map((file) => join(folder, file))
    const program = ts.createProgram(files, { ...OPTIONS, ...globals, typeRoots })
    const complaints = ts.getPreEmitDiagnostics(program).map((one) => complaintOf(folder, one))
    found.set(key, complaints)
    return complaints
  }

  function complaints(name: string): string[] {
    return compiled(globalsOf(name))
      .filter(({ file }) => !file.startsWith('examples/') || file.startsWith(`examples/${name}/`))
      .map(({ file, line, message }) => `${file}:${line} ${message}`)
  }

  for (const name of EXAMPLES)
    it(`the example ${name} compiles`, () => {
      expect(sourcesOf(name)).to.not.be.empty
      expect(complaints(name)).to.deep.equal([])
    })

  it('a mistake in an example is reported', () => {
    expect(complaints('planted')).to.deep.equal([
      "examples/planted/server.mjs:2 Type 'number' is not assignable to type 'string'.",
    ])
  })
})

type Globals = { readonly lib: string[]; readonly types: string[] }
type Complaint = { readonly file: string; readonly line: number; readonly message: string }

function globalsOf(name: string): Globals {
  const browser = IN_BROWSERS.includes(name) ? ['lib.dom.d.ts', 'lib.dom.iterable.d.ts'] : []
  return { lib: ['lib.es2023.d.ts', ...browser], types: [...(GLOBALS[name] ?? ['node'])] }
}

function sourcesOf(name: string): string[] {
  if (name === 'planted') return [PLANTED.file]
  return filesOf(`examples/${name}`).filter((file) => /\.(?:jsx?|ts)$/.test(file))
}

function complaintOf(folder: string, { file, start, messageText }: ts.Diagnostic): Complaint {
  const line = file ? file.getLineAndCharacterOfPosition(start ?? 0).line + 1 : 0
  const path = relative(folder, file?.fileName ?? folder).replaceAll('\\', '/')
  return { file: path, line, message: ts.flattenDiagnosticMessageText(messageText, '\n') }
}
