// Writes the tables of docs/embed/weight.md: the packages that the built code of each entry imports, and the dependencies of these packages
// according to the lock file and node_modules.
import { statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { filesBelow, jsonOf, PROJECT, textOf } from '../files.js'
import { table } from './table.js'

/** Captures the name of an imported module, or of a constant that contains the name. */
const IMPORTED = /\b(?:from|import|PACKAGE ?=)\s*(?:\([^'")]*)?['"]([^'"]+)['"]/g
const MARKERS = /(?<=<!-- weight:begin -->\n)[^]*(?=<!-- weight:end -->)/

const manifest = jsonOf('package.json')
const { packages: locked } = jsonOf('package-lock.json')

const KINDS = { dependencies: 'always', optionalDependencies: 'optional', peerDependencies: 'on request' }
const asked = Object.entries(KINDS).flatMap(([field, kind]) =>
  Object.keys(manifest[field]).map((name) => ({ name, kind, closure: closureOf([name]) })),
)
const BIN = '`npx kennel-id`, the command and the service'
const starts = Object.entries(manifest.exports)
  .filter(([, { types }]) => types)
  .map(([entry, { types }]) => [`\`${join('kennel-id', entry)}\``, [types.replace(/\.d\.ts$/, '.js')]])
// Bundled packages need not be installed.
starts.push([BIN, filesBelow(join(PROJECT, 'dist', 'app'), '.js').map((file) => join('dist', 'app', file))])

const before = textOf('docs/embed/weight.md')
if (!MARKERS.test(before)) throw new Error('docs/embed/weight.md has no markers')
export default before.replace(MARKERS, () => `\n${entryTable()}\n${packageTable()}\n`)

function entryTable() {
  const all = starts.map(([title, files]) => ({ title, names: packagesOf(files).sort() }))
  const rows = all.map(({ title, names }) => {
    const { count, megabytes } = weightOf(closureOf(names.filter((name) => kindOf(name) !== 'on request')))
    const listed = names.map((name) => (kindOf(name) === 'on request' ? `(${name})` : name)).join(', ')
    return [title, listed, count, megabytes]
  })
  const light = all.filter(({ names }) => names.length === 0).map(({ title }) => title)
  const shown = rows.filter(([, listed]) => listed !== '')
  return `${table(['Entry', 'Imports', 'Packages', 'MB'], shown, 2)}\nThese entry points import no package: ${light.join(', ')}.\n`
}

function packageTable() {
  const rows = asked
    .map(({ name, kind, closure }) => ({ name, kind, ...weightOf(closure) }))
    .sort((a, b) => b.megabytes - a.megabytes || a.name.localeCompare(b.name))
    .map(({ name, kind, count, megabytes }) => [name, kind, count, megabytes])
  return table(['Package', 'Installed', 'Packages', 'MB'], rows, 2)
}

function kindOf(name) {
  return asked.find((one) => one.name === name).kind
}

/** Returns the packages that these files import, directly or through our other files. */
function packagesOf(files) {
  const names = new Set()
  const seen = new Set(files.map((file) => join(PROJECT, file)))
  // This loop also visits files that are added during it.
  for (const file of seen) {
    for (const [, text] of textOf(file).matchAll(IMPORTED)) {
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

/** Without nested packages. */
function weightOf(closure) {
  const files = [...closure].flatMap((place) =>
    filesBelow(join(PROJECT, place), '')
      .filter((file) => !file.includes('node_modules'))
      .map((file) => statSync(join(PROJECT, place, file)).size),
  )
  const bytes = files.reduce((sum, size) => sum + size, 0)
  return { count: closure.size, megabytes: (bytes / 1e6).toFixed(1) }
}
