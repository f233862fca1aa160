import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { operatorMessages } from './operator-messages.js'
import { table } from './table.js'

const PROJECT = join(import.meta.dirname, '..', '..')
const INTRODUCTION = `# Messages

The messages of a start or a command that is refused or warns, and their remedies. \`…\` stands for a text that varies, and a message may
have more text before or after.

- A start that is refused prints all errors of the configuration together on standard error, and ends with 1.
- A command prints a message of the store or of the configuration in \`errors\` of its JSON document; see
  [how commands reply](commands.md#how-they-reply). One of these lines can also be the \`detail\` or \`error\` of a line of the log.
- Replies over HTTP are on [Read an error](../http/errors.md), lines of the log on [Log lines](log-lines.md), trouble with mails on
  [Mail](mail.md#if-something-goes-wrong).
`

/**
 * The page of docs/operate/messages.md: messages.txt has the advice for each message of the sources. Throws if a message is
 * missing in messages.txt or in the sources.
 */
export async function messagesReference(build) {
  const { SETTINGS } = await import(pathToFileURL(join(build, 'configuration', 'settings.js')).href)
  const found = operatorMessages(PROJECT, (name) => SETTINGS[name]?.variable)
  const sections = sectionsOf(readFileSync(join(import.meta.dirname, 'messages.txt'), 'utf8'))
  const noted = sections.flatMap(({ rows }) => rows.map(({ message }) => message))
  complain('messages.txt lacks', found, noted)
  complain('no source has, but messages.txt,', noted, found)
  complain('messages.txt has twice', noted, [...new Set(noted)])
  return (
    INTRODUCTION +
    sections
      .filter(({ title }) => title !== undefined)
      .map(shown)
      .join('')
  )
}

function complain(what, ones, others) {
  const rest = [...others]
  const missing = ones.filter((one) => {
    const at = rest.indexOf(one)
    if (at >= 0) rest.splice(at, 1)
    return at < 0
  })
  if (missing.length > 0) throw new Error(`${what} ${missing.map((one) => `\n  ${one}`).join('')}`)
}

/**
 * Each section begins with `# ` and its title, or with `! ` and the reason why its messages are not on the page; `> `
 * is its introduction. A line is a message, and an indented line below it is the advice.
 */
function sectionsOf(text) {
  return text.split(/^(?=[#!] )/m).map(sectionOf)
}

function sectionOf(part) {
  const [head, ...lines] = part.split('\n').filter((line) => line.trim() !== '')
  const introduction = lines.filter((line) => line.startsWith('> ')).map((line) => line.slice(2))
  const rows = []
  for (const line of lines.filter((one) => !one.startsWith('> '))) {
    if (line.startsWith('  ')) rows.at(-1).todo = line.trim()
    else rows.push({ message: line })
  }
  return {
    ...(head.startsWith('# ') && { title: head.slice(2) }),
    introduction: introduction.join('\n'),
    rows,
  }
}

function shown({ title, introduction, rows }) {
  const isList = rows.every(({ todo }) => todo === undefined)
  const content = isList
    ? `\n${rows.map(({ message }) => `- ${quoted(message)}\n`).join('')}`
    : table(
        ['Message', 'What to do'],
        rows.map(({ message, todo = 'The same.' }) => [quoted(message), todo]),
      )
  return `\n## ${title}\n${introduction === '' ? '' : `\n${introduction}\n`}${content}`
}

/** As inline code, even if the text contains backticks. */
function quoted(text) {
  return text.includes('`') ? `\`\` ${text} \`\`` : `\`${text}\``
}
