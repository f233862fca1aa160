import { expect } from 'chai'
import { AUDIT_EVENTS } from '../../src/domain/audit.js'
import { makeWorkplace } from '../cli/app.js'
import { filesOf, textOf } from '../support/project.js'

const read = (page: string) => textOf('docs/operate', page)
const firstColumn = (page: string) =>
  Array.from(read(page).matchAll(/^\| `([^`]+)` +\|/gm), ([, name = '']) => name)

const sources = () =>
  ['src', 'bin']
    .flatMap((folder) => filesOf(folder))
    .map((file) => textOf(file))
    .join('\n')

describe("the handbook's list of events, log lines and fields", () => {
  it('contains exactly the events of the audit log', () => {
    expect(firstColumn('audit-events.md')).to.deep.equal([...AUDIT_EVENTS])
  })

  it('mentions only existing events of the audit log', () => {
    const groups = new Set(AUDIT_EVENTS.flatMap((event) => event.match(/^\w+(?=\.)/) ?? []))
    const named = filesOf('docs/operate')
      .filter((file) => file.endsWith('.md'))
      .flatMap((file) =>
        Array.from(textOf(file).matchAll(/`(\w+)\.(\w+)`/g), ([, group = '', name = '']) => ({
          file,
          group,
          event: `${group}.${name}`,
        })),
      )
      .filter(({ group }) => groups.has(group))
    const known: readonly string[] = AUDIT_EVENTS
    expect(named.length).to.be.greaterThan(AUDIT_EVENTS.length)
    expect(named.filter(({ event }) => !known.includes(event))).to.deep.equal([])
  })

  it('contains, verbatim, every log line that should cause an alert', () => {
    const source = sources()
    const rows = Array.from(read('log-lines.md').matchAll(/^\| `([^`]+)` +\| `(warn|error)` +\|/gm))
    expect(rows.length).to.be.greaterThan(10)
    for (const [, event = '', level = ''] of rows) {
      expect(source, event).to.match(
        new RegExp(`\\b(log\\??\\.)?${level}\\('${event.replaceAll(';', '\\;')}'`),
      )
    }
    const errors = Array.from(source.matchAll(/log\??\.error\('([^']+)'/g), ([, event = '']) => event)
    const alerts = firstColumn('log-lines.md')
    const rare = [
      'a custom part breaks its contract',
      'reply failed',
      'a password was reset, but some of the follow-up steps failed',
      'a notice was not queued',
      'an email address was changed, but the email that can undo the change was not queued',
    ]
    expect(errors.filter((event) => !alerts.includes(event) && !rare.includes(event))).to.deep.equal([])
  })

  it('quotes only messages that exist in the sources', () => {
    const source = sources()
    const rows = Array.from(
      read('messages.md').matchAll(/^- ((?:`[^`]+`(?:, )?)+): /gm),
      ([, row = '']) => row,
    )
    const texts = rows.flatMap((row) => row.split(/[`…]/)).filter((text) => text.length > 5)
    expect(texts.length).to.be.greaterThan(30)
    expect(texts.filter((text) => !source.includes(text.trim()))).to.deep.equal([])
  })

  it('contains every field of the log line for a request', async () => {
    const place = await makeWorkplace()
    try {
      const service = await place.serve({ WORKERS: '2' })
      await fetch(`${service.origin}/health/live`)
      service.child.kill('SIGTERM')
      await service.ended
      const line = /^.*"event":"request".*$/m.exec(service.log())?.[0] ?? '{}'
      const fields = firstColumn('logs.md')
      expect(Object.keys(JSON.parse(line) as object)).to.deep.equal(
        fields
          .slice(0, fields.indexOf('event') + 1)
          .filter((name) => !['accountId', 'apiKeyId'].includes(name)),
      )
    } finally {
      await place.remove()
    }
  })
})
