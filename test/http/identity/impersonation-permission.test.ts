import { expect } from 'chai'
import type { AuditEvent } from '../../../src/domain/audit.js'
import { OPERATOR } from '../../../src/domain/access/caller.js'
import type { AccountId } from '../../../src/domain/identity/account.js'
import { DEFAULT_PERMISSIONS } from '../../../src/domain/access/permissions.js'
import type { Reply } from '../../support/http/client.js'
import { itWithSessions } from '../../support/http/modes.js'
import { startService, STATELESS, type TestService } from '../../support/http/service.js'
import {
  expectAlive,
  expectDead,
  impersonation,
  loginAs,
  logoutAs,
  type Impersonation,
} from '../../support/http/acting.js'
import { createBrowser, CREATE_PROJECT, identityWith, PROJECT } from '../../support/http/browser.js'
import { expectInvalidToken, loggedOut, PROJECT_INVALID_TOKEN } from '../../support/http/expected.js'
import { RESET_PASSWORD, RESETS_PERMITTED } from '../../support/http/resetting.js'
import { servicesOfTests } from '../../support/http/services.js'
import { KEPT, STORES, type OpenedStore } from '../../support/stores.js'
import { watching } from '../../support/watched-store.js'

/** Whose roles change, how, and what the record says of it. */
const CHANGES = {
  'the role is taken from the administrator': {
    whose: 'admin',
    remove: true,
    why: 'cause:actor-lost-login-as',
  },
  'the role is given to the other account': {
    whose: 'target',
    remove: false,
    why: 'cause:target-gained-login-as',
  },
} as const
type Change = (typeof CHANGES)[keyof typeof CHANGES]

const USES: Readonly<Record<string, (acting: Impersonation) => Promise<Reply>>> = {
  'get-identity': ({ browser }) => browser.getIdentity(),
  refresh: ({ browser }) => browser.refresh(),
  'logout-as': ({ browser }) => logoutAs(browser),
  'login-as': ({ browser, admin }) => loginAs(browser, admin.id),
}

async function change(service: TestService, acting: Impersonation, { whose, remove }: Change): Promise<void> {
  const { email } = acting[whose]
  await service.useCases.assignRole({ caller: OPERATOR, email, role: 'admin', remove })
}

for (const { name, open } of STORES) {
  describe(`an impersonation whose permission is gone, in the ${name} store`, () => {
    const serve = servicesOfTests()
    let opened: OpenedStore
    let service: TestService
    before(async () => {
      opened = await open()
      service = await startService({ store: opened.store, permissions: RESETS_PERMITTED })
    })
    after(async () => {
      await service.close()
      await opened.remove()
    })

    const entriesOf = async (id: number, event: AuditEvent) => {
      const records = await opened.store.audit.page({ accountId: id as AccountId, event, limit: 100 })
      return records.map(({ id: _, ...entry }) => entry)
    }

    for (const [what, changed] of Object.entries(CHANGES)) {
      for (const [use, send] of Object.entries(USES)) {
        it(`is ended by the next ${use} when ${what}, and that is audited once`, async () => {
          const [acting, other] = [await impersonation(service), await impersonation(service)]
          const { admin, target, browser } = acting
          const held = browser.held()
          await change(service, acting, changed)
          const reply = await send(acting)
          expectInvalidToken(reply, use)
          await expectDead(service, held)
          const entry = {
            at: service.clock.now,
            event: 'impersonation.end',
            actor: `account:${admin.id}`,
            subject: `account:${target.id} ${changed.why}`,
            address: '127.0.0.1',
            requestId: reply.headers['x-request-id'],
            outcome: 'failure',
            accounts: [admin.id, target.id],
          }
          expect(await entriesOf(admin.id, 'impersonation.end')).to.deep.equal([entry])
          expect(await entriesOf(target.id, 'impersonation.end')).to.deep.equal([entry])
          await expectAlive(service, other.browser.held(), 'another impersonation')
          await expectAlive(service, target.held(), 'the own login of the other account')
        })
      }

      it(`is ended by the next call of a protected route when ${what}`, async () => {
        const acting = await impersonation(service, ['project-editor'])
        const send = () => acting.browser.send('POST', CREATE_PROJECT, { json: PROJECT })
        expect((await send()).status).to.equal(201)
        await change(service, acting, changed)
        const reply = await send()
        expect([reply.status, reply.json]).to.deep.equal([401, PROJECT_INVALID_TOKEN])
        await expectDead(service, acting.browser.held())
      })

      it(`is ended by logout when ${what}, as ever`, async () => {
        const acting = await impersonation(service)
        const held = acting.browser.held()
        await change(service, acting, changed)
        const reply = await acting.browser.logout()
        expect([reply.status, reply.json]).to.deep.equal([200, loggedOut(200)])
        await expectDead(service, held)
        await expectDead(service, acting.before)
        const ends = await entriesOf(acting.admin.id, 'impersonation.end')
        expect(ends.map(({ outcome }) => outcome)).to.deep.equal(['success'])
        expect(await entriesOf(acting.admin.id, 'logout')).to.have.length(1)
      })

      it(`does not come back when ${what} and that is undone after it was used`, async () => {
        const acting = await impersonation(service)
        const held = acting.browser.held()
        await change(service, acting, changed)
        expectInvalidToken(await acting.browser.getIdentity())
        await change(service, acting, { ...changed, remove: !changed.remove } as Change)
        await expectDead(service, held)
        const admin = createBrowser(service, acting.admin.email)
        expect((await admin.login()).status).to.equal(200)
      })

      itWithSessions(`is ended by a reset of a password when ${what}`, async () => {
        const acting = await impersonation(service)
        await change(service, acting, changed)
        const json = { email: acting.target.email }
        expectInvalidToken(await acting.browser.send('POST', RESET_PASSWORD, { json }))
        await expectDead(service, acting.browser.held())
      })
    }

    it('goes on where another role of the administrator still gives the permission', async () => {
      const roles = { ...DEFAULT_PERMISSIONS.roles, deputy: { inherit: ['admin'] } }
      const own = await serve({ store: opened.store, permissions: { roles } })
      const acting = await impersonation(own)
      await own.account(`deputy-of-${acting.admin.email}`, ['deputy'])
      const { email } = acting.admin
      await own.useCases.assignRole({ caller: OPERATOR, email, role: 'deputy' })
      await change(own, acting, CHANGES['the role is taken from the administrator'])
      await expectAlive(own, acting.browser.held())
      expect((await acting.browser.refresh()).status).to.equal(200)
      expect((await logoutAs(acting.browser)).status).to.equal(200)
    })

    it('goes on where the other account gets a role that does not give it', async () => {
      const acting = await impersonation(service)
      const { email } = acting.target
      await service.account(`of-${email}`, ['project-editor'])
      await service.useCases.assignRole({ caller: OPERATOR, email, role: 'project-editor' })
      await expectAlive(service, acting.browser.held())
    })

    it('is told by one record, however many requests find it out at once', async () => {
      const acting = await impersonation(service)
      const held = acting.browser.held()
      await change(service, acting, CHANGES['the role is taken from the administrator'])
      const replies = await Promise.all(Array.from({ length: 16 }, () => identityWith(service, held)))
      for (const reply of replies) expectInvalidToken(reply)
      expect(await entriesOf(acting.admin.id, 'impersonation.end')).to.have.length(1)
    })
  })
}

describe(`an impersonation whose permission is taken away by another process, in the ${KEPT.name} store`, () => {
  it('is ended by the next request', async () => {
    const opened = await KEPT.open()
    const again = await opened.again()
    const service = await startService({ store: opened.store })
    try {
      const acting = await impersonation(service)
      await expectAlive(service, acting.browser.held())
      expect(await again.store.roles.unassign(acting.admin.email as never, 'admin' as never)).to.equal(
        'unassigned',
      )
      expectInvalidToken(await acting.browser.getIdentity())
      await expectDead(service, acting.browser.held())
    } finally {
      await service.close()
      await again.remove()
      await opened.remove()
    }
  })
})

describe('get-identity during an impersonation', () => {
  const serve = servicesOfTests()

  it('is one call of the store with sessions, and without them one for the login and one an account', async () => {
    const calls: string[] = []
    const aroundStore = watching(async (call, run) => {
      calls.push(call)
      return await run()
    })
    const service = await serve({ aroundStore })
    const { browser } = await impersonation(service)
    calls.length = 0
    expect((await browser.getIdentity()).status).to.equal(200)
    const without = ['revocations.isRevoked', 'accounts.find', 'accounts.find']
    expect(calls).to.deep.equal(STATELESS ? without : ['sessions.find'])
  })
})
