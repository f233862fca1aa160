import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { COMMANDS } from '../../src/composition-root/commands.js'
import { VARIABLES } from '../../src/configuration/settings.js'
import { AUDIT_EVENTS } from '../../src/domain/audit.js'
import { filesOf, PROJECT } from '../support/project.js'
import { makeWorkplace } from '../cli/app.js'
import { blocksOf } from '../support/pages/blocks.js'

const FOLDER = 'docs/operations'
const read = (page: string) => readFileSync(join(PROJECT, FOLDER, page), 'utf8')
/** What stands in the first column of the tables of a page, or of one part of it. */
const firstColumn = (text: string) =>
  Array.from(text.matchAll(/^\| `([^`]+)` +\|/gm), ([, name = '']) => name)
const sectionOf = (text: string, title: string) => text.split(`\n## ${title}\n`)[1]?.split('\n## ')[0] ?? ''
const COMMAND_NAMES = Object.keys(COMMANDS).map((id) => id.replaceAll(':', ' '))

/** Lines of the blocks of one tag on a page. */
function linesOf(page: string, tag: string): string[] {
  const blocks = blocksOf(`${FOLDER}/${page}`).filter(({ language }) => language === tag)
  expect(blocks).to.not.be.empty
  return blocks.flatMap(({ text }) => text.trim().split('\n'))
}

function expectCommand(line: string, words: string): void {
  expect(
    COMMAND_NAMES.some((name) => `${words} `.startsWith(`${name} `)),
    line,
  ).to.equal(true)
}

describe('the pages on operations', () => {
  it('explain every event of the audit log, and no other', () => {
    expect(firstColumn(read('audit.md'))).to.deep.equal([...AUDIT_EVENTS])
  })

  it('explain every line of the log to alert on, word for word', () => {
    const source = filesOf('src')
      .map((file) => readFileSync(join(PROJECT, file), 'utf8'))
      .join('\n')
    const alerts = firstColumn(sectionOf(read('logs.md'), 'Lines to alert on'))
    const rows = Array.from(read('logs.md').matchAll(/^\| `([^`]+)` +\| `(warn|error)` +\|/gm))
    expect(alerts.length).to.be.greaterThan(5)
    for (const [, event = '', level = ''] of rows) {
      expect(source, event).to.match(new RegExp(`log\\??\\.${level}\\('${event.replaceAll(';', '\\;')}'`))
    }
    const errors = Array.from(source.matchAll(/log\??\.error\('([^']+)'/g), ([, event = '']) => event)
    const rare = [
      'a part breaks its law',
      'reply failed',
      'a password was reset, but not all that follows was done',
      'a notice was not queued',
    ]
    expect(errors.filter((event) => !alerts.includes(event) && !rare.includes(event))).to.deep.equal([])
  })

  it('name the fields that the line of a request has', async () => {
    const place = await makeWorkplace()
    try {
      const service = await place.serve({ WORKERS: '2' })
      await fetch(`${service.origin}/health/live`)
      service.child.kill('SIGTERM')
      await service.ended
      const line = /^.*"event":"request".*$/m.exec(service.log())?.[0] ?? '{}'
      const fields = firstColumn(sectionOf(read('logs.md'), 'Request log'))
      expect(Object.keys(JSON.parse(line) as object)).to.deep.equal(
        fields.filter((name) => !['accountId', 'apiKeyId'].includes(name)),
      )
    } finally {
      await place.remove()
    }
  })

  it('name only files, commands and settings of the host that there are', () => {
    const lines = linesOf('systemd.md', 'sh host')
    execFileSync('bash', ['-n', '-c', lines.join('\n')])
    const files = lines.flatMap((line) =>
      Array.from(line.matchAll(/(?<![\w/])(?:docs|bin)\/[\w./-]+/g), ([path]) => path),
    )
    expect(files).to.have.length.greaterThan(3)
    expect(files.filter((file) => !existsSync(join(PROJECT, file)))).to.deep.equal([])
    const commands = lines.flatMap((line) => /(?:kennel-app|app\.js) (?!\/)([a-z].*)/.exec(line)?.[1] ?? [])
    expect(commands).to.have.length.greaterThan(3)
    for (const words of commands) expectCommand(words, words)
  })

  it('start a container with variables, folders and commands that there are', () => {
    const lines = linesOf('container.md', 'sh container')
    execFileSync('bash', ['-n', '-c', lines.join('\n')])
    const known: readonly string[] = VARIABLES
    const start = lines.find((line) => line.startsWith('docker run')) ?? ''
    const names = Array.from(start.matchAll(/--env (\w+)=/g), ([, name = '']) => name)
    expect(names).to.have.length.greaterThan(2)
    expect(names.filter((name) => !known.includes(name))).to.deep.equal([])
    for (const words of ['--read-only', '--tmpfs /tmp', '--cap-drop ALL', ':/data', '--stop-timeout 30'])
      expect(start).to.include(words)
    const commands = lines.flatMap(
      (line) => /^docker exec .*kennel node bin\/app\.js (.*)$/.exec(line)?.[1] ?? [],
    )
    expect(commands).to.have.length.greaterThan(2)
    for (const words of commands) expectCommand(words, words)
  })
})
