// Generates docs/operate/settings.md: its introduction, then a row per setting, grouped as in `.env.example`.
import { SETTINGS } from '../../dist/src/configuration/settings.js'
import { textOf } from '../files.js'
import { cell, code, table } from './table.js'

const MARKER = '<!-- Written by `npm run generate`: change its sources, not the tables. -->\n'
const HEADS = ['Variable', 'Option', 'Default', 'Values', 'What it does']

const effects = effectsOf(textOf('src/configuration/settings.ts'))
const rows = new Map(Object.entries(SETTINGS).map(([name, row]) => [row.variable, rowOf(name, row)]))
const groups = groupsOf(textOf('.env.example'))
const shown = groups.flatMap(({ variables }) => variables)
for (const variable of rows.keys()) if (!shown.includes(variable)) stop(`.env.example lacks ${variable}`)

const [introduction] = textOf('docs/operate/settings.md').split(MARKER)
const tables = groups.map(({ title, variables }) => {
  const found = variables.map((variable) => rows.get(variable) ?? stop(`no setting is called ${variable}`))
  return `\n## ${title}\n${table(HEADS, found)}`
})
export default [introduction, MARKER, ...tables].join('')

/** Matches the comment above each setting. */
function effectsOf(text) {
  const rows = text.matchAll(/\/\*\*((?:(?!\*\/).)+)\*\/\s+(\w+): row\(/gs)
  return new Map(
    Array.from(rows, ([, comment, name]) => [name, comment.replaceAll(/\s+(?:\* )?/g, ' ').trim()]),
  )
}

/** The headings of `.env.example`, each with its variables. */
function groupsOf(text) {
  const [, ...parts] = text.split(/^# --- /m)
  return parts.map((part) => ({
    title: part.slice(0, part.indexOf(' ---')),
    variables: Array.from(part.matchAll(/^# ([A-Z_]+)=/gm), ([, variable]) => variable),
  }))
}

function rowOf(name, row) {
  const otherwise = row.otherwise === undefined ? '' : `(${code(row.otherwise)})`
  return [
    code(row.variable) + (row.secret ? ' _secret_' : ''),
    row.serviceOnly ? '–' : code(name),
    row.default === undefined ? otherwise : code(row.default),
    cell(valuesOf(row)),
    cell(effects.get(name) ?? stop(`${name} has no comment`)),
  ]
}

/** Returns the valid values of a setting, which its error message lists. Each setting rejects at least one of the strings below. */
function valuesOf({ variable, read }) {
  const refuseAll = { hashCostError: () => '', isSender: () => false, smtpUrlError: () => '' }
  const reading = ['\u0000', '[', '{"a":0}'].map((text) => read.text(text, refuseAll)).find(({ ok }) => !ok)
  if (!reading) stop(`${variable} accepts any string`)
  return reading.rule
    .replace(/^(entry 1 )?must be /, (_, entry) => (entry ? 'each ' : ''))
    .replace(/^must /, '')
}

function stop(message) {
  throw new Error(message)
}
