import { isBuiltin } from 'node:module'
import { join, posix } from 'node:path'
import { expect } from 'chai'
import ts from 'typescript'
import { PROJECT, textOf } from '../support/project.js'

/** The maximum number of runtime exports of `kennel-id`; further exports belong in a separate entry. */
const VALUES_MAX = 26
/** The client is a separate program with its own names for the JSON that it receives. */
const CLIENT = ['kennel-id/client', 'kennel-id/account', 'kennel-id/admin']

type Exported = {
  readonly entry: string
  readonly name: string
  readonly isValue: boolean
  /** Identifies an export by the file and the name of its declaration, even if it is re-exported. */
  readonly thing: string
}
type Manifest = { readonly exports: Readonly<Record<string, string | { readonly types: string }>> }

function entries(): ReadonlyMap<string, string> {
  const { exports } = JSON.parse(textOf('package.json')) as Manifest
  const described = Object.entries(exports).flatMap(([path, target]) =>
    typeof target === 'string' ? [] : [[posix.join('kennel-id', path), join(PROJECT, target.types)] as const],
  )
  return new Map(described)
}

/** Reads only the package itself, not the dependencies of its types. */
function readProgram(files: readonly string[]): ts.Program {
  const options = { module: ts.ModuleKind.NodeNext, target: ts.ScriptTarget.ES2023, noLib: true, types: [] }
  const host = ts.createCompilerHost(options)
  host.resolveModuleNameLiterals = (names, file) =>
    names.map(({ text }) =>
      text.startsWith('.')
        ? ts.resolveModuleName(text, file, options, host, undefined, undefined, ts.ModuleKind.ESNext)
        : { resolvedModule: undefined },
    )
  return ts.createProgram(files, options, host)
}

function exportsOf(files: ReadonlyMap<string, string>): Exported[] {
  const program = readProgram([...files.values()])
  const checker = program.getTypeChecker()
  return [...files].flatMap(([entry, file]) =>
    symbolsOf(program, file).map((symbol) => {
      const origin = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol
      const declared = origin.declarations?.[0]?.getSourceFile().fileName ?? 'nowhere'
      const isValue = (origin.flags & ts.SymbolFlags.Value) !== 0 && !isTypeOnly(symbol)
      return { entry, name: symbol.name, isValue, thing: `${declared}#${origin.name}` }
    }),
  )
}

function symbolsOf(program: ts.Program, file: string): ts.Symbol[] {
  const source = program.getSourceFile(file)
  const module = source && program.getTypeChecker().getSymbolAtLocation(source)
  if (!module) throw new Error(`${file} is no module: has it been built?`)
  return program.getTypeChecker().getExportsOfModule(module)
}

/** Returns the module types that these entries use but no entry exports. */
function unnamed(files: ReadonlyMap<string, string>, authored: readonly string[]): string[] {
  const program = readProgram([...files.values()])
  const checker = program.getTypeChecker()
  const original = (symbol: ts.Symbol) =>
    symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol
  const named = new Set([...files.values()].flatMap((file) => symbolsOf(program, file)).map(original))
  const found = new Set<string>()
  const visit = (node: ts.Node): void => {
    const symbol = ts.isTypeReferenceNode(node) && checker.getSymbolAtLocation(node.typeName)
    if (symbol && !named.has(original(symbol))) {
      const [declared] = original(symbol).declarations ?? []
      const isExported = declared && ts.getCombinedModifierFlags(declared) & ts.ModifierFlags.Export
      if (isExported) found.add(original(symbol).name)
    }
    ts.forEachChild(node, visit)
  }
  const types = authored.flatMap((entry) => symbolsOf(program, files.get(entry) ?? '')).map(original)
  for (const { declarations = [] } of types) declarations.filter(ts.isTypeAliasDeclaration).forEach(visit)
  return [...found].sort()
}

/** Returns whether an export is only a type; a class may be exported in this way. */
function isTypeOnly({ declarations = [] }: ts.Symbol): boolean {
  return declarations.some(
    (one) => ts.isExportSpecifier(one) && (one.isTypeOnly || one.parent.parent.isTypeOnly),
  )
}

function several(all: readonly Exported[], by: (one: Exported) => string): string[] {
  const entriesOf = new Map<string, string[]>()
  for (const one of all) entriesOf.set(by(one), [...(entriesOf.get(by(one)) ?? []), one.entry])
  return [...entriesOf]
    .filter(([, found]) => found.length > 1)
    .map(([key, found]) => `${key}: ${found.join(', ')}`)
}

describe('the entry points of the package', () => {
  let all: readonly Exported[]
  before(() => {
    all = exportsOf(entries())
  })

  it('are all checked, and every export has a declaration', () => {
    expect(new Set(all.map(({ entry }) => entry))).to.deep.equal(new Set(entries().keys()))
    expect(all.filter(({ thing }) => thing.startsWith('nowhere'))).to.deep.equal([])
  })

  it('export nothing twice', () => {
    expect(several(all, ({ thing }) => thing)).to.deep.equal([])
  })

  it('use each name for a single declaration only', () => {
    const here = all.filter(({ entry }) => !CLIENT.includes(entry))
    expect(several(here, ({ name }) => name)).to.deep.equal([])
  })

  it('export every type that is needed to write stores, other adapters or contract tests', () => {
    expect(unnamed(entries(), ['kennel-id/ports', 'kennel-id/contracts'])).to.deep.equal([])
  })

  it('refer to no types from other packages except jose, so that programs compile without optional packages', () => {
    const own = readProgram([...entries().values()]).getSourceFiles()
    const imported = own.flatMap(({ text }) =>
      ts.preProcessFile(text).importedFiles.map(({ fileName }) => fileName),
    )
    expect(imported).to.include('./store.js')
    expect(
      imported.filter((name) => !name.startsWith('.') && !isBuiltin(name) && name !== 'jose'),
    ).to.deep.equal([])
  })

  it('export the functions for embedders from `kennel-id`, and the factories from other entry points', () => {
    const values = all.flatMap(({ entry, name, isValue }) => (entry === 'kennel-id' && isValue ? [name] : []))
    expect(values).to.include('openKennel')
    expect(values.filter((name) => name.startsWith('create'))).to.deep.equal([])
    expect(values.length).to.be.at.most(VALUES_MAX)
  })
})
