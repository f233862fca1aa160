// Writes docs/embed/entries.md between its markers: each entry of the package with its exports, read from the exports
// of package.json and from the declarations with their comments. With `--check` it writes nothing and ends with 1 if
// the page is outdated. Reads a build: dist, or the given folder.
import { readFileSync, writeFileSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { format, resolveConfig } from 'prettier'
import ts from 'typescript'

const MARKERS = /(?<=<!-- entries:begin -->\n)[^]*(?=<!-- entries:end -->)/

const project = join(import.meta.dirname, '..')
const path = join(project, 'docs', 'embed', 'entries.md')
const { values, positionals } = parseArgs({ options: { check: { type: 'boolean' } }, allowPositionals: true })
const build = resolve(positionals[0] ?? join(project, 'dist'))
const manifest = JSON.parse(readFileSync(join(project, 'package.json'), 'utf8'))

const entries = Object.entries(manifest.exports)
  .filter(([, { types }]) => types)
  .map(([entry, { types }]) => ({
    name: join('kennel-id', entry),
    file: join(build, relative('dist', types)),
  }))
const program = ts.createProgram(
  entries.map(({ file }) => file),
  { module: ts.ModuleKind.NodeNext, moduleResolution: ts.ModuleResolutionKind.NodeNext, noLib: true },
)
const checker = program.getTypeChecker()

const before = readFileSync(path, 'utf8')
if (!MARKERS.test(before)) throw new Error('docs/embed/entries.md has no markers')
const options = { ...(await resolveConfig(path)), parser: 'markdown' }
const page = await format(
  before.replace(MARKERS, () => entries.map(sectionOf).join('')),
  options,
)

if (!values.check) writeFileSync(path, page)
else if (page !== before) {
  console.error('docs/embed/entries.md is behind the entries: node scripts/write-entry-tables.js')
  process.exitCode = 1
}

function sectionOf({ name, file }) {
  const module = checker.getSymbolAtLocation(program.getSourceFile(file))
  const exported = checker.getExportsOfModule(module).map(describe)
  if (exported.length === 0) throw new Error(`${name} exports nothing`)
  const called = exported.filter(({ isValue }) => isValue).map(rowOf)
  const types = exported.filter(({ isValue }) => !isValue).map(({ name: type }) => `\`${type}\``)
  return [
    `\n## \`${name}\`\n`,
    called.length > 0 ? `\n| Export | Description |\n| --- | --- |\n${called.join('')}` : '',
    types.length > 0 ? `\nTypes: ${types.join(', ')}.\n` : '',
  ].join('')
}

/** The exports of an entry, by the names in that entry; a re-export has the description of the original. */
function describe(symbol) {
  const target = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol
  const text = ts.displayPartsToString(target.getDocumentationComment(checker))
  const isValue = Boolean(target.flags & ts.SymbolFlags.Value) && !isTypeOnly(symbol)
  return { name: symbol.name, isValue, text }
}

/** A class whose instances are returned, but which no caller constructs. */
function isTypeOnly({ declarations = [] }) {
  return declarations.some(
    (one) => ts.isExportSpecifier(one) && (one.isTypeOnly || one.parent.parent.isTypeOnly),
  )
}

function rowOf({ name, text }) {
  if (text === '') throw new Error(`${name} has no comment`)
  return `| \`${name}\` | ${firstSentence(text).replaceAll('|', '\\|')} |\n`
}

/** The result is on one line. A dot within a name, as in `package.json`, does not end a sentence. */
function firstSentence(text) {
  const line = text.replaceAll(/\s+/g, ' ')
  return /^.*?\.(?= |$)/.exec(line)?.[0] ?? line
}
