import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { cell, code, table } from './table.js'

const INTRODUCTION = `# Settings

This page lists every setting of the service and of \`openKennel\`.

- Set variables in the environment, or in a file \`.env\` in the folder where you start the service. The environment wins.
  The file can set \`STORE_MODULE\`, which is code, only if it belongs to root or to the user who runs the command, and group and others
  cannot write to it. [\`.env.example\`](../../.env.example) is a template. An empty value counts as not set.
- A variable marked _secret_ can come from a file: append \`_FILE\` to its name, and set it to the path of the file.
- The column Option has a dash if \`openKennel\` has no such option. There \`production\` is \`true\` by default, and \`passphrase\` and \`publicUrl\` are
  required.
- The column Default has parentheses if the default depends on other settings.
- Durations: \`500ms\`, \`30s\`, \`15m\`, \`12h\`, \`7d\`; as an option also a number of milliseconds. Sizes: \`512b\`, \`64kb\`, \`1mb\`.
- \`openKennel\` also takes \`permissions\`, \`components\`, \`pages\`, \`background\` and \`parts\`, which have no variable.
- The service does not start if a value is invalid. All errors are reported together.
`

/** The page of docs/operate/settings.md: each row of the table of settings, in the groups of \`.env.example\`. */
export async function settingsReference(build) {
  const { SETTINGS } = await import(pathToFileURL(join(build, 'configuration', 'settings.js')).href)
  const groups = groupsOf(textOf('.env.example'))
  const effects = effectsOf(textOf('src/configuration/settings.ts'))
  const rows = new Map(
    Object.entries(SETTINGS).map(([name, row]) => [row.variable, rowOf(name, row, effects.get(name))]),
  )
  const heads = ['Variable', 'Option', 'Default', 'Values', 'What it does']
  const parts = groups.map(({ title, variables }) => {
    const found = variables.map((variable) => rows.get(variable) ?? stop(`no setting is called ${variable}`))
    return `\n## ${title}\n${table(heads, found)}`
  })
  const shown = groups.flatMap(({ variables }) => variables)
  for (const variable of rows.keys()) if (!shown.includes(variable)) stop(`.env.example lacks ${variable}`)
  return INTRODUCTION + parts.join('')
}

const textOf = (file) => readFileSync(join(import.meta.dirname, '..', '..', file), 'utf8')

/** The comment above each row. */
function effectsOf(text) {
  const rows = text.matchAll(/\/\*\*((?:(?!\*\/).)+)\*\/\s+(\w+): row\(/gs)
  return new Map(
    Array.from(rows, ([, comment, name]) => [name, comment.replaceAll(/\s+(?:\* )?/g, ' ').trim()]),
  )
}

/** Each heading of \`.env.example\` with its variables. */
function groupsOf(text) {
  const [, ...parts] = text.split(/^# --- /m)
  return parts.map((part) => ({
    title: part.slice(0, part.indexOf(' ---')),
    variables: Array.from(part.matchAll(/^# ([A-Z_]+)=/gm), ([, variable]) => variable),
  }))
}

function rowOf(name, row, effect = stop(`${name} has no comment`)) {
  const otherwise = row.otherwise === undefined ? '' : `(${code(row.otherwise)})`
  return [
    code(row.variable) + (row.secret ? ' _secret_' : ''),
    row.serviceOnly ? '–' : code(name),
    row.default === undefined ? otherwise : code(row.default),
    cell(valuesOf(row)),
    cell(effect),
  ]
}

/** The valid values of a setting, from its message about a wrong value. No setting accepts all of these texts. */
function valuesOf({ variable, read }) {
  const refuseAll = { hashCostError: () => '', isSender: () => false, smtpUrlError: () => '' }
  const reading = ['\u0000', '[', '{"a":0}'].map((text) => read.text(text, refuseAll)).find(({ ok }) => !ok)
  if (!reading) stop(`${variable} takes any text`)
  return reading.rule
    .replace(/^(entry 1 )?must be /, (_, entry) => (entry ? 'each ' : ''))
    .replace(/^must /, '')
}

function stop(message) {
  throw new Error(message)
}
