import { expect } from 'chai'
import { fake } from 'sinon'
import { createAuditLines } from '../../../src/adapters/pino/index.js'
import type { AuditRecord, AuditRecordId } from '../../../src/domain/audit.js'
import type { AccountId } from '../../../src/domain/identity/account.js'
import { collectingLog } from '../../support/log-collector.js'

const BARE: AuditRecord = {
  id: '0123456789ab0000AAAAAAAAAAA' as AuditRecordId,
  at: 0,
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
  count: 3,
  accounts: [7, 8] as readonly number[] as readonly AccountId[],
}

/** Returns the fields of the only line, which has the level `info`. */
async function fieldsOf(record: AuditRecord): Promise<unknown> {
  const { log, lines } = collectingLog()
  await createAuditLines(log).append(record)
  const [{ fields, ...line }] = lines as [(typeof lines)[number]]
  expect([lines.length, line]).to.deep.equal([1, { level: 'info', event: 'audit' }])
  return fields
}

// The log's own tests show that each line is one JSON object and that long strings are truncated.
describe('audit lines', () => {
  it('contain the event, actor, subject, outcome, count, address and request ID, but nothing else', async () => {
    const { event, actor, subject, outcome, count, address, requestId } = FULL
    const smuggled = { ...FULL, password: 'canary', audit: 'canary', error: new Error('canary') }
    const expected = { audit: { event, actor, subject, outcome, count }, address, requestId }
    expect(await fieldsOf(smuggled)).to.deep.equal(expected)
  })

  for (const isKept of [true, false])
    it(`${isKept ? 'accept' : 'reject'} a required audit record if its line was ${isKept ? '' : 'not '}written`, async () => {
      const keepAudit = fake.resolves(isKept)
      const { log, lines } = collectingLog()
      const sink = createAuditLines({ ...log, keepAudit })
      const [outcome] = await Promise.allSettled([sink.append(BARE, true)])
      const status = isKept ? 'fulfilled' : 'rejected'
      expect([outcome.status, keepAudit.callCount, lines]).to.deep.equal([status, 1, []])
      await sink.append(BARE)
      expect([keepAudit.callCount, lines.length]).to.deep.equal([1, 1])
    })

  it('count as written if the log does not report whether lines were written', async () => {
    const { log, lines } = collectingLog()
    await createAuditLines(log).append(BARE, true)
    expect(lines.length).to.equal(1)
  })
})
