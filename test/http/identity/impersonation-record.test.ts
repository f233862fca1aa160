import { expect } from 'chai'
import type { AuditEvent } from '../../../src/domain/audit.js'
import type { AccountId } from '../../../src/domain/identity/account.js'
import type { AuditSink } from '../../../src/ports/audit-log.js'
import type { Reply } from '../../support/http/client.js'
import { startService, type TestService } from '../../support/http/service.js'
import { expectAlive, impersonation, loginAs, logoutAs } from '../../support/http/acting.js'
import { newcomer, setCookies } from '../../support/http/browser.js'
import { UNAVAILABLE } from '../../support/http/expected.js'
import { servicesOfTests } from '../../support/http/services.js'

const FULL_DISK: AuditSink = {
  append: async () => {
    throw new Error('the disk is full')
  },
}

describe('the audit record of an impersonation', () => {
  const serve = servicesOfTests()
  let service: TestService
  before(async () => {
    service = await startService()
  })
  after(() => service.close())

  const recordsOf = (id: number, event: AuditEvent) =>
    service.store.audit.page({ accountId: id as AccountId, event, limit: 100 })

  /** The only record of this event, without its random ID. */
  async function expectRecord(
    event: AuditEvent,
    { admin, target }: { admin: { id: number }; target: { id: number } },
    reply: Reply,
  ): Promise<void> {
    const expected = {
      at: service.clock.now,
      event,
      actor: `account:${admin.id}`,
      subject: `account:${target.id}`,
      address: '127.0.0.1',
      requestId: reply.headers['x-request-id'],
      outcome: 'success',
      accounts: [admin.id, target.id],
    }
    for (const id of [admin.id, target.id]) {
      const records = (await recordsOf(id, event)).filter(({ subject }) => subject === expected.subject)
      expect(records.map(({ id: _, ...rest }) => rest)).to.deep.equal([expected])
    }
  }

  it('names the actor, the target and the request, at the start and at the end', async () => {
    const acting = await impersonation(service)
    await expectRecord('impersonation.start', acting, acting.reply)
    expect(await recordsOf(acting.target.id, 'impersonation.end')).to.deep.equal([])
    service.clock.now += 1000
    const end = await logoutAs(acting.browser)
    await expectRecord('impersonation.end', acting, end)
    expect(end.headers['x-request-id']).to.not.equal(acting.reply.headers['x-request-id'])
  })

  it('is required by login-as: if an audit sink fails, the reply is 503 and nothing has changed', async () => {
    const lost: unknown[] = []
    const failing = await serve({
      auditSinks: (store) => [store.audit, FULL_DISK],
      onAuditLost: (error) => lost.push(error),
    })
    const admin = await newcomer(failing, ['admin'])
    const target = await newcomer(failing)
    const held = admin.held()
    const told = lost.length
    const reply = await loginAs(admin, target.id)
    expect([reply.status, reply.json]).to.deep.equal([503, UNAVAILABLE])
    expect(reply.headers['retry-after']).to.match(/^[1-9][0-9]*$/)
    expect(setCookies(reply)).to.deep.equal([])
    expect(admin.held()).to.deep.equal(held)
    await expectAlive(failing, held)
    expect((await admin.refresh()).status).to.equal(200)
    const [accountId, at] = [target.id as AccountId, failing.clock.now]
    const sessions = await failing.store.sessions.pageOf({ accountId, limit: 10, at })
    expect(sessions.filter(({ actor }) => actor)).to.deep.equal([])
    expect(lost.slice(told)).to.deep.equal([])
  })
})
