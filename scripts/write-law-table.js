// Writes the tables of docs/embed/laws.md from the laws themselves, between the two markers. With `--check` it writes
// nothing and ends with 1 if the page is outdated. Reads a build: dist, or the given folder.
import { readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { format, resolveConfig } from 'prettier'

const MARKERS = /(?<=<!-- laws:begin -->\n)[^]*(?=<!-- laws:end -->)/

const project = join(import.meta.dirname, '..')
const path = join(project, 'docs', 'embed', 'laws.md')
const { values, positionals } = parseArgs({ options: { check: { type: 'boolean' } }, allowPositionals: true })
const build = resolve(positionals[0] ?? join(project, 'dist'))
const contracts = await import(pathToFileURL(join(build, 'src', 'contracts', 'index.js')).href)

const OF_STORES = ['storeLaws', 'copyableRecordLaws']
const ofParts = Object.keys(contracts).filter((name) => name.endsWith('Laws') && !OF_STORES.includes(name))
const laws = [...OF_STORES, ...ofParts.sort()].flatMap((name) => contracts[name])
if (laws.length === 0) throw new Error('no law was found')

const before = readFileSync(path, 'utf8')
if (!MARKERS.test(before)) throw new Error('docs/embed/laws.md has no markers')
const options = { ...(await resolveConfig(path)), parser: 'markdown' }
const page = await format(
  before.replace(MARKERS, () => tables()),
  options,
)

if (!values.check) writeFileSync(path, page)
else if (page !== before) {
  console.error('docs/embed/laws.md is behind the laws: node scripts/write-law-table.js')
  process.exitCode = 1
}

function tables() {
  const ports = [...new Set(laws.map(({ port }) => port))]
  return ports.map((port) => tableOf(port)).join('')
}

function tableOf(port) {
  const ofPort = laws.filter((law) => law.port === port)
  const rows = ofPort.map(({ name, protects }) => `| ${cell(name)} | ${cell(protects)} |\n`)
  return `\n## \`${port}\`\n\n| Law | Protects |\n| --- | --- |\n${rows.join('')}\n`
}

/** Escapes text that Markdown would read as markup. */
function cell(text) {
  return text.replace(/[\\|*_`<[\]]/g, '\\$&')
}
