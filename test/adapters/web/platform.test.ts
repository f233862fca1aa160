import { readFileSync } from 'node:fs'
import { createRequire, isBuiltin } from 'node:module'
import { dirname, join, relative, resolve } from 'node:path'
import { expect } from 'chai'
import ts from 'typescript'
import { PROJECT, withPlanted } from '../../support/project.js'

/** Globals on Node and on platforms that imitate it. */
const NODE_GLOBALS = ['Buffer', 'process', 'require', '__dirname', '__filename', 'setImmediate', 'global']

type Found = { readonly files: readonly string[]; readonly faults: readonly string[] }

/** Follows static and dynamic imports, also in packages. */
function walk(entry: string): Found {
  const files = new Set<string>()
  const faults: string[] = []
  const waiting = [entry]
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    if (files.has(file)) continue
    files.add(file)
    const source = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true)
    const name = relative(PROJECT, file)
    if (!file.includes('/node_modules/'))
      faults.push(...globalsOf(source).map((one) => `${name} uses ${one}`))
    for (const specifier of importsOf(source)) {
      if (isBuiltin(specifier)) faults.push(`${name} imports ${specifier}`)
      else waiting.push(resolved(specifier, file))
    }
  }
  return { files: [...files], faults }
}

/** Returns what `pick` finds in a file's syntax nodes. */
function collect(source: ts.SourceFile, pick: (node: ts.Node) => string | undefined): string[] {
  const found: string[] = []
  const visit = (node: ts.Node): void => {
    found.push(...[pick(node)].filter((one) => one !== undefined))
    ts.forEachChild(node, visit)
  }
  visit(source)
  return found
}

const importsOf = (source: ts.SourceFile) =>
  collect(source, (node) => {
    const imported =
      ts.isImportDeclaration(node) || ts.isExportDeclaration(node) ? node.moduleSpecifier : undefined
    const required = ts.isCallExpression(node) && isImport(node.expression) ? node.arguments[0] : undefined
    const specifier = imported ?? required
    return specifier && ts.isStringLiteral(specifier) ? specifier.text : undefined
  })

function isImport(called: ts.Expression): boolean {
  return called.kind === ts.SyntaxKind.ImportKeyword || called.getText() === 'require'
}

/** Returns the Node globals that a file uses, ignoring properties with the same names. */
const globalsOf = (source: ts.SourceFile) =>
  collect(source, (node) =>
    ts.isIdentifier(node) && NODE_GLOBALS.includes(node.text) && !isMember(node) ? node.text : undefined,
  )

function isMember(node: ts.Identifier): boolean {
  const { parent } = node
  if (ts.isPropertyAccessExpression(parent)) return parent.name === node
  return ts.isBindingElement(parent) && parent.propertyName === node
}

function resolved(specifier: string, from: string): string {
  if (specifier.startsWith('.') && !from.includes('/node_modules/')) return resolve(dirname(from), specifier)
  const require = createRequire(from)
  return require.resolve(specifier)
}

describe('the modules of the web handler', () => {
  it('use no Node APIs, and neither do their dependencies', () => {
    const { files, faults } = walk(join(PROJECT, 'dist/src/adapters/web/index.js'))
    expect(faults).to.deep.equal([])
    const names = files.map((file) => relative(PROJECT, file))
    expect(names).to.include.members([
      'dist/src/http/http-interface.js',
      'dist/src/domain/refusal.js',
      'dist/src/http/description/document.js',
      'dist/src/http/api-page/packed-files.js',
    ])
    expect(names.filter((name) => name.includes('node_modules/zod/'))).to.have.length.greaterThan(10)
  })

  it('are reported if they use Node APIs', async () => {
    const files = {
      'a.js': "import './b.js'\nexport const c = () => import('./c.js')",
      'c.js': "export * from 'node:zlib'",
      'b.js': "import { readFile } from 'node:fs'\nexport const d = Buffer.from(String(readFile))",
    }
    const { faults } = await withPlanted(files, async (folder) => walk(join(folder, 'a.js')))
    expect(faults.map((fault) => fault.replace(/^.*\//, ''))).to.deep.equal([
      ...['c.js imports node:zlib', 'b.js uses Buffer', 'b.js imports node:fs'],
    ])
  })
})
