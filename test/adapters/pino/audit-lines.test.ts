import { expect } from 'chai'
import { createAuditLines, createLog } from '../../../src/adapters/pino/index.js'
import type { LogOptions } from '../../../src/adapters/pino/log.js'
import type { AuditRecord, AuditRecordId } from '../../../src/domain/audit.js'
import type { AccountId } from '../../../src/domain/identity/account.js'
import { START } from '../../support/http/service.js'

const ESCAPE = '\u001B[31m'
const BARE: AuditRecord = {
  id: '0123456789ab0000AAAAAAAAAAA' as AuditRecordId,
  at: START,
  event: 'login',
  actor: 'anonymous',
  outcome: 'failure',
  accounts: [],
}
const FULL: AuditRecord = {
  ...BARE,
  actor: 'account:7',
  subject: 'account:8 role:editor',
  address: '2001:db8::1',
  requestId: 'request-0001',
  outcome: 'success',
  accounts: [7, 8] as readonly number[] as readonly AccountId[],
}

async function linesOf(record: AuditRecord, level: LogOptions['level'] = 'info'): Promise<string[]> {
  const lines: string[] = []
  const destination = { write: (line: string) => lines.push(line) }
  await createAuditLines(createLog({ level, pretty: false, destination })).append(record)
  return lines
}

/** The one line, without the time at which it was written. */
async function lineOf(record: AuditRecord): Promise<Record<string, unknown>> {
  const [line = '', ...more] = await linesOf(record)
  expect(more).to.deep.equal([])
  expect(line).to.match(/^\{[^\n]*\}\n$/)
  const { time, ...rest } = JSON.parse(line) as Record<string, unknown>
  expect(time).to.be.a('string')
  return rest
}

describe('audit lines', () => {
  it('are JSON objects with event, actor, outcome and address', async () => {
    expect(await lineOf(FULL)).to.deep.equal({
      level: 'info',
      requestId: 'request-0001',
      address: '2001:db8::1',
      audit: { event: 'login', actor: 'account:7', subject: 'account:8 role:editor', outcome: 'success' },
      event: 'audit',
    })
  })

  it('leave out unknown values', async () => {
    expect(await lineOf(BARE)).to.deep.equal({
      level: 'info',
      audit: { event: 'login', actor: 'anonymous', outcome: 'failure' },
      event: 'audit',
    })
  })

  it('leave out an unknown member of a record', async () => {
    const smuggled = { ...FULL, password: 'canary', audit: 'canary', error: new Error('canary') }
    expect(JSON.stringify(await lineOf(smuggled))).to.not.include('canary')
    expect(await lineOf(smuggled)).to.deep.equal(await lineOf(FULL))
  })

  it('stay one line without escape sequences for any record', async () => {
    const actor = `cli:${ESCAPE}two\r\nlines "quoted" {{braces}}`
    const [line = ''] = await linesOf({ ...FULL, actor })
    expect(line).to.not.include(ESCAPE)
    expect(await lineOf({ ...FULL, actor })).to.have.nested.property('audit.actor', actor)
  })

  it('cut a long text', async () => {
    expect(await lineOf({ ...FULL, actor: 'a'.repeat(10_000) })).to.have.nested.property(
      'audit.actor',
      'a'.repeat(1_000),
    )
  })

  it('are written at the level info and below', async () => {
    expect(await linesOf(FULL, 'debug')).to.have.length(1)
    expect(await linesOf(FULL, 'warn')).to.deep.equal([])
  })
})
