import { expect } from 'chai'
import type { AuditEvent } from '../../../src/domain/audit.js'
import type { AccountId } from '../../../src/domain/identity/account.js'
import type { AuditSink } from '../../../src/ports/audit-log.js'
import type { Reply } from '../../support/http/client.js'
import { startService, type TestService } from '../../support/http/service.js'
import { rounds, itWithSessions } from '../../support/http/modes.js'
import {
  actingAs,
  expectAlive,
  expectDead,
  impersonation,
  loginAs,
  logoutAs,
} from '../../support/http/acting.js'
import {
  createBrowser,
  freshEmail,
  newcomer,
  setCookies,
  type Browser,
  type Held,
} from '../../support/http/browser.js'
import { loggedOut, UNAVAILABLE } from '../../support/http/expected.js'
import { servicesOfTests } from '../../support/http/services.js'
import { STORES, type OpenedStore } from '../../support/stores.js'

const NO_AUDIT_LOG = {
  message: 'This action is not possible without an audit log.',
  field: '',
  type: 'Forbidden',
}

const FULL_DISK: AuditSink = {
  append: async () => {
    throw new Error('the disk is full')
  },
}

/** Takes records until it is broken. */
function breakableSink(inner: AuditSink) {
  const sink = {
    broken: false,
    append: async (record: Parameters<AuditSink['append']>[0]) => {
      await (sink.broken ? FULL_DISK : inner).append(record)
    },
  }
  return sink
}

for (const { name, open } of STORES) {
  describe(`the record of an impersonation, in the ${name} store`, () => {
    const serve = servicesOfTests()
    let opened: OpenedStore
    let service: TestService
    before(async () => {
      opened = await open()
      service = await startService({ store: opened.store })
    })
    after(async () => {
      await service.close()
      await opened.remove()
    })

    const recordsOf = (id: number, event: AuditEvent) =>
      opened.store.audit.page({ accountId: id as AccountId, event, limit: 100 })

    /** The one record of this event, without its random id. */
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

    it('names who acted, as whom and in which request, at its start and at its end', async () => {
      const acting = await impersonation(service)
      await expectRecord('impersonation.start', acting, acting.reply)
      expect(await recordsOf(acting.target.id, 'impersonation.end')).to.deep.equal([])
      service.clock.now += 1000
      const end = await logoutAs(acting.browser)
      await expectRecord('impersonation.end', acting, end)
      expect(end.headers['x-request-id']).to.not.equal(acting.reply.headers['x-request-id'])
    })

    it('is one of two at logout, which the administrator did', async () => {
      const acting = await impersonation(service)
      const reply = await acting.browser.logout()
      await expectRecord('impersonation.end', acting, reply)
      await expectRecord('logout', acting, reply)
    })

    it('has nothing of what was refused', async () => {
      const admin = await newcomer(service, ['admin'])
      const other = await newcomer(service, ['admin'])
      for (const id of [admin.id, other.id, 2 ** 40]) await loginAs(admin, id)
      await logoutAs(admin)
      for (const event of ['impersonation.start', 'impersonation.end'] as const)
        expect(await recordsOf(admin.id, event)).to.deep.equal([])
    })

    const together = (held: Held, email: string, call: (client: Browser) => Promise<Reply>) =>
      Promise.all(Array.from({ length: 8 }, () => call(createBrowser(service, email, { held }))))

    /** As many as were begun and came to nothing are taken back, so that one is left. */
    async function expectOne(event: AuditEvent, id: number): Promise<void> {
      const outcomes = (await recordsOf(id, event)).map(({ outcome }) => outcome)
      const successes = outcomes.filter((one) => one === 'success').length
      expect(successes - (outcomes.length - successes)).to.equal(1)
    }

    itWithSessions('tells which of many calls at once did not begin one or end it', async () => {
      for (let round = 0; round < rounds(5); round += 1) {
        const admin = await newcomer(service, ['admin'])
        const target = await newcomer(service)
        await together(admin.held(), admin.email, (client) => loginAs(client, target.id))
        await expectOne('impersonation.start', target.id)
        const { browser, ...acting } = await impersonation(service)
        await together(browser.held(), acting.admin.email, logoutAs)
        await expectOne('impersonation.end', acting.target.id)
      }
    })

    it('is what login-as needs: where a sink fails it is 503 and nothing has changed', async () => {
      const lost: unknown[] = []
      const failing = await serve({
        store: opened.store,
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
      const sessions = await opened.store.sessions.pageOf({ accountId, limit: 10, at })
      expect(sessions.filter(({ actor }) => actor)).to.deep.equal([])
      expect(lost.slice(told)).to.deep.equal([])
    })

    it('is what logout-as needs: where a sink fails it is 503 and the impersonation goes on', async () => {
      const sink = breakableSink(opened.store.audit)
      const failing = await serve({ store: opened.store, auditSinks: () => [sink] })
      const { browser, admin, target } = await impersonation(failing)
      const held = browser.held()
      sink.broken = true
      const reply = await logoutAs(browser)
      expect([reply.status, reply.json]).to.deep.equal([503, UNAVAILABLE])
      expect(setCookies(reply)).to.deep.equal([])
      expect(browser.held()).to.deep.equal(held)
      expect((await browser.getIdentity()).json).to.deep.equal(actingAs(target, admin))
      expect((await browser.refresh()).status).to.equal(200)
      sink.broken = false
      expect((await logoutAs(browser)).status).to.equal(200)
    })

    it('is not what logout needs: it ends the impersonation though the sink fails', async () => {
      const lost: unknown[] = []
      const sink = breakableSink(opened.store.audit)
      const failing = await serve({
        store: opened.store,
        auditSinks: () => [sink],
        onAuditLost: (error) => lost.push(error),
      })
      const { browser } = await impersonation(failing)
      const held = browser.held()
      sink.broken = true
      expect((await browser.logout()).json).to.deep.equal(loggedOut(200))
      await expectDead(failing, held)
      expect(lost.map(String)).to.deep.equal(Array(2).fill('Error: the disk is full'))
    })

    it('needs a sink at all: without one login-as and logout-as are 403', async () => {
      const { origin: publicUrl } = service
      const silent = await serve({ store: opened.store, auditSinks: () => [], settings: { publicUrl } })
      const admin = await newcomer(service, ['admin'])
      const target = await newcomer(service)
      const there = createBrowser(silent, admin.email, { held: admin.held() })
      const refused = await loginAs(there, target.id)
      expect([refused.status, refused.json]).to.deep.equal([403, loggedOut(403, NO_AUDIT_LOG)])
      expect(setCookies(refused)).to.deep.equal([])
      await expectAlive(service, admin.held())
      await loginAs(admin, target.id)
      const acting = createBrowser(silent, admin.email, { held: admin.held() })
      expect((await logoutAs(acting)).json).to.deep.equal(loggedOut(403, NO_AUDIT_LOG))
      expect((await acting.getIdentity()).json).to.deep.equal(actingAs(target, admin))
    })
  })
}

describe('a login whose record is lost', () => {
  const serve = servicesOfTests()

  it('succeeds, and the loss is told', async () => {
    const lost: unknown[] = []
    const service = await serve({ auditSinks: () => [FULL_DISK], onAuditLost: (error) => lost.push(error) })
    const email = freshEmail()
    await service.account(email)
    lost.length = 0
    expect((await createBrowser(service, email).login()).status).to.equal(200)
    expect(lost.map(String)).to.deep.equal(['Error: the disk is full'])
  })
})
