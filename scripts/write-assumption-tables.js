// Writes the tables of docs/contribute/store-assumptions.md between the two markers: the laws of every port call, found
// by running them on broken stores. With `--check` it writes nothing, prints the tables as a line of JSON, and ends with 1
// if the page is outdated. Reads a build: dist, or the given folder.
import { readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { format, resolveConfig } from 'prettier'

const MARKERS = /(?<=<!-- laws:begin -->\n)[^]*(?=<!-- laws:end -->)/

const project = join(import.meta.dirname, '..')
const path = join(project, 'docs', 'contribute', 'store-assumptions.md')
const { values, positionals } = parseArgs({ options: { check: { type: 'boolean' } }, allowPositionals: true })
const build = resolve(positionals[0] ?? join(project, 'dist'))
const imported = (file) => import(pathToFileURL(join(build, 'test', file)).href)
const { shownCalls } = await imported('contracts/bridge/shown.js')
const { lawAgainst } = await imported('contracts/bridge/planted.js')
const { PLANTED } = await imported('simulation/planted/index.js')

const calls = (await shownCalls()).map(({ call, kind, effect, atomicity }) => ({
  call,
  kind,
  effect: nameOf(effect),
  atomicity: nameOf(atomicity),
}))
const bugs = []
for (const [name, bug] of Object.entries(PLANTED)) bugs.push({ name, law: nameOf(await lawAgainst(bug)) })

const before = readFileSync(path, 'utf8')
if (!MARKERS.test(before)) throw new Error('docs/contribute/store-assumptions.md has no markers')
const page = await format(
  before.replace(MARKERS, () => tables()),
  { ...(await resolveConfig(path)), parser: 'markdown' },
)

if (values.check) {
  console.log(JSON.stringify({ calls, bugs }))
  if (page !== before) {
    console.error('docs/contribute/store-assumptions.md is outdated: node scripts/write-assumption-tables.js')
    process.exitCode = 1
  }
} else writeFileSync(path, page)

function tables() {
  return [
    '\n## Calls\n\n| Call | Law of its effect | Law of its atomicity |\n| --- | --- | --- |\n',
    ...calls.map(({ call, effect = '', atomicity = '' }) => `| \`${call}\` | ${effect} | ${atomicity} |\n`),
    '\n## Planted bugs\n\n| Bug of the simulator | Law that notices it |\n| --- | --- |\n',
    ...bugs.map(({ name, law }) => `| ${name} | ${law === 'none' ? '' : law} |\n`),
    '\n',
  ].join('')
}

function nameOf(law) {
  return law?.port ? `${law.port}: ${law.name}` : law
}
