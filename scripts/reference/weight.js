// The page docs/embed/weight.md: its tables have the packages that each entry imports, read from the built code, and their
// dependencies, read from the lock file and the installed tree.
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import ts from 'typescript'
import { filesBelow } from '../files.js'
import { BUILD as build } from './build.js'

const MARKERS = /(?<=<!-- weight:begin -->\n)[^]*(?=<!-- weight:end -->)/

const project = join(import.meta.dirname, '..', '..')
const path = join(project, 'docs', 'embed', 'weight.md')
const manifest = JSON.parse(readFileSync(join(project, 'package.json'), 'utf8'))
const { packages: locked } = JSON.parse(readFileSync(join(project, 'package-lock.json'), 'utf8'))

const KINDS = { dependencies: 'always', optionalDependencies: 'optional', peerDependencies: 'on request' }
const asked = Object.entries(KINDS).flatMap(([field, kind]) =>
  Object.keys(manifest[field]).map((name) => ({ name, kind, closure: closureOf([name]) })),
)
const BIN = '`npx kennel-id`, the command and the service'
const starts = Object.entries(manifest.exports)
  .filter(([, { types }]) => types)
  .map(([entry, { types }]) => [`\`${join('kennel-id', entry)}\``, [types.replace(/\.d\.ts$/, '.js')]])
// Bundled packages need not be installed.
starts.push([BIN, filesBelow(join(project, 'dist', 'app'), '.js').map((file) => join('dist', 'app', file))])

const before = readFileSync(path, 'utf8')
if (!MARKERS.test(before)) throw new Error('docs/embed/weight.md has no markers')
export default before.replace(MARKERS, () => `\n${entryTable()}\n${packageTable()}\n`)

function entryTable() {
  const all = starts.map(([title, files]) => ({ title, names: packagesOf(files).sort() }))
  const rows = all.map(({ title, names }) => {
    if (names.length === 0) return ''
    const { count, megabytes } = weightOf(closureOf(names.filter((name) => kindOf(name) !== 'on request')))
    const listed = names.map((name) => (kindOf(name) === 'on request' ? `(${name})` : name)).join(', ')
    return `| ${title} | ${listed} | ${count} | ${megabytes} |\n`
  })
  const light = all.filter(({ names }) => names.length === 0).map(({ title }) => title)
  const table = `| Entry | Asks for | Packages | MB |\n| --- | --- | ---: | ---: |\n${rows.join('')}`
  return `${table}\nThese ask for no package: ${light.join(', ')}.\n`
}

function packageTable() {
  const rows = asked
    .map(({ name, kind, closure }) => ({ name, kind, ...weightOf(closure) }))
    .sort((a, b) => b.megabytes - a.megabytes || a.name.localeCompare(b.name))
    .map(({ name, kind, count, megabytes }) => `| ${name} | ${kind} | ${count} | ${megabytes} |\n`)
  return `| Package | Installed | Packages | MB |\n| --- | --- | ---: | ---: |\n${rows.join('')}`
}

function kindOf(name) {
  return asked.find((one) => one.name === name).kind
}

/** The packages that these files import, statically or dynamically, directly or through other files of ours. */
function packagesOf(files) {
  const seen = new Set()
  const names = new Set()
  const waiting = files.map((file) => join(build, relative('dist', file)))
  for (let file = waiting.pop(); file; file = waiting.pop()) {
    if (seen.has(file)) continue
    seen.add(file)
    for (const text of importsOf(file)) {
      if (/^\.\.?\//.test(text) && text.endsWith('.js')) waiting.push(join(dirname(file), text))
      const found = asked.find(({ name }) => text === name || text.startsWith(`${name}/`))
      if (found) names.add(found.name)
    }
  }
  return [...names]
}

/** The imports of a file, by name or by a constant that holds the name. */
function importsOf(file) {
  const source = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest)
  const found = []
  const constants = new Map()
  const visit = (node) => {
    if (ts.isVariableDeclaration(node) && node.initializer && ts.isStringLiteral(node.initializer))
      constants.set(node.name.getText(source), node.initializer.text)
    if (node.moduleSpecifier) found.push(node.moduleSpecifier)
    if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword)
      found.push(node.arguments[0])
    ts.forEachChild(node, visit)
  }
  visit(source)
  return found.map((node) =>
    ts.isStringLiteral(node) ? node.text : (constants.get(node.getText(source)) ?? ''),
  )
}

/** The places of these packages and of all their dependencies in the tree, without our development dependencies. */
function closureOf(names) {
  const found = new Set()
  const add = (name, from) => {
    const place = placeOf(name, from)
    if (!place || found.has(place)) return
    found.add(place)
    const {
      dependencies = {},
      optionalDependencies = {},
      peerDependencies = {},
      peerDependenciesMeta = {},
    } = locked[place]
    const peers = Object.keys(peerDependencies).filter((peer) => !peerDependenciesMeta[peer]?.optional)
    for (const next of [...Object.keys({ ...dependencies, ...optionalDependencies }), ...peers])
      add(next, place)
  }
  for (const name of names) add(name, '')
  return found
}

/** As Node looks up a package: from the importing folder upwards. */
function placeOf(name, from) {
  const place = join(from, 'node_modules', name)
  if (locked[place]) return place
  return from === ''
    ? undefined
    : placeOf(name, from.slice(0, Math.max(from.lastIndexOf('node_modules/') - 1, 0)))
}

function weightOf(closure) {
  const bytes = [...closure].reduce((sum, place) => sum + sizeOf(join(project, place)), 0)
  return { count: closure.size, megabytes: (bytes / 1e6).toFixed(1) }
}

/** In bytes, without nested packages. */
function sizeOf(folder) {
  return readdirSync(folder, { withFileTypes: true })
    .filter(({ name }) => name !== 'node_modules')
    .map((entry) => [entry, join(folder, entry.name)])
    .reduce((sum, [entry, file]) => sum + (entry.isDirectory() ? sizeOf(file) : readFileSync(file).length), 0)
}
