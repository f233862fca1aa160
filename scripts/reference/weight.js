// Writes the tables of docs/embed/weight.md: the packages that the built code of each entry imports, and the dependencies of these packages
// according to the lock file and node_modules.
import { readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { filesBelow } from '../files.js'

/** Captures the name of an imported module, or of a constant that contains the name. */
const IMPORTED = /\b(?:from|import|PACKAGE ?=)\s*(?:\([^'")]*)?['"]([^'"]+)['"]/g
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
  const table = `| Entry | Imports | Packages | MB |\n| --- | --- | ---: | ---: |\n${rows.join('')}`
  return `${table}\nThese entry points import no package: ${light.join(', ')}.\n`
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

/** Returns the packages that these files import, statically or dynamically, directly or through our other files. */
function packagesOf(files) {
  const names = new Set()
  const seen = new Set(files.map((file) => join(project, file)))
  // This loop also visits files that are added during it.
  for (const file of seen) {
    for (const [, text] of readFileSync(file, 'utf8').matchAll(IMPORTED)) {
      if (/^\.\.?\/.*\.js$/.test(text)) seen.add(join(dirname(file), text))
      const found = asked.find(({ name }) => text === name || text.startsWith(`${name}/`))
      if (found) names.add(found.name)
    }
  }
  return [...names]
}

/** Returns where these packages and all their dependencies are installed, without our development dependencies. */
function closureOf(names) {
  const found = new Set()
  const add = (name, from) => {
    const place = placeOf(name, from)
    if (!place || found.has(place)) return
    found.add(place)
    const { dependencies, optionalDependencies, peerDependencies, peerDependenciesMeta } = locked[place]
    for (const next of Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies }))
      if (!peerDependenciesMeta?.[next]?.optional) add(next, place)
  }
  for (const name of names) add(name, '')
  return found
}

/** Finds a package as Node does: from the importing folder upwards. */
function placeOf(name, from) {
  const place = join(from, 'node_modules', name)
  if (locked[place]) return place
  return from === ''
    ? undefined
    : placeOf(name, from.slice(0, Math.max(from.lastIndexOf('node_modules/') - 1, 0)))
}

/** In bytes, without nested packages. */
function weightOf(closure) {
  const files = [...closure].flatMap((place) =>
    filesBelow(join(project, place), '')
      .filter((file) => !file.includes('node_modules'))
      .map((file) => statSync(join(project, place, file)).size),
  )
  const bytes = files.reduce((sum, size) => sum + size, 0)
  return { count: closure.size, megabytes: (bytes / 1e6).toFixed(1) }
}
