// Writes docs/contribute/decisions.md: every record in docs/decisions by its heading. With `--check` it writes nothing
// and ends with 1 if the page is outdated.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { format, resolveConfig } from 'prettier'
import { filesBelow } from './files.js'

const project = join(import.meta.dirname, '..')
const records = join(project, 'docs', 'decisions')
const path = join(project, 'docs', 'contribute', 'decisions.md')
const HEADING = /^# (\d+)\. (.+)$/m

const INTRODUCTION = `# Decisions

The reasons for decisions that the code cannot explain: one record for each subject, with the alternatives and their price. A new decision
goes into the record of its subject, and replaces the decision that it changes.

<!-- Written by \`node scripts/write-decisions.js\` from the headings of docs/decisions: change those. -->`

const { values } = parseArgs({ options: { check: { type: 'boolean' } } })
const files = filesBelow(records, '.md').sort()
if (files.length === 0) throw new Error('no record was found')
const options = { ...(await resolveConfig(path)), parser: 'markdown' }
const page = await format(`${INTRODUCTION}\n\n${files.map(lineOf).join('\n')}\n`, options)

if (!values.check) writeFileSync(path, page)
else if (page !== readFileSync(path, 'utf8')) {
  console.error('docs/contribute/decisions.md is behind the records: node scripts/write-decisions.js')
  process.exitCode = 1
}

function lineOf(file) {
  const [, number, title] = HEADING.exec(readFileSync(join(records, file), 'utf8')) ?? []
  if (Number(number) !== Number(file.slice(0, 4))) throw new Error(`${file} begins with another number`)
  return `- [${file.slice(0, 4)}](../decisions/${file}): ${title}`
}
