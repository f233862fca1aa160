import { expect } from 'chai'
import { OPERATOR } from '../../../src/domain/access/caller.js'
import type { AccountId } from '../../../src/domain/identity/account.js'
import { startService, type TestService } from '../../support/http/service.js'
import { itWithSessions, rounds } from '../../support/http/modes.js'
import {
  actingAs,
  expectAlive,
  expectDead,
  impersonation,
  loginAs,
  logoutAs,
} from '../../support/http/acting.js'
import {
  CREATE_PROJECT,
  createBrowser,
  envelopeOf,
  identityWith,
  keep,
  newcomer,
  payloadOf,
  PROJECT,
  refreshWith,
  sessionIdOf,
  setCookies,
} from '../../support/http/browser.js'
import { expectInvalidToken, notSaved } from '../../support/http/expected.js'
import { STORES, type OpenedStore } from '../../support/stores.js'

const WIDTH = 8
const NOT_PERMITTED = { message: 'This action is not granted to you.', field: '', type: 'Forbidden' }

for (const { name, open } of STORES) {
  describe(`acting as another account, on the ${name} store`, () => {
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

    it('is told by login-as to the letter, and by get-identity without the tokens', async () => {
      const { browser, admin, target, reply } = await impersonation(service, ['project-editor'])
      const { roleList } = envelopeOf(await target.getIdentity()).view
      expect(Object.keys(roleList)).to.deep.equal(['project-editor'])
      const expected = actingAs(target, admin, roleList)
      const { accessToken, refreshToken } = browser.held()
      const view = { ...expected.view, jwt: accessToken, refreshToken }
      expect(reply.json).to.deep.equal({ ...expected, view })
      const identity = await browser.getIdentity()
      expect([identity.status, identity.json]).to.deep.equal([200, expected])
      expect(setCookies(identity)).to.deep.equal([])
    })

    it('gives new tokens, which name the one who acts', async () => {
      const { browser, admin, target, before } = await impersonation(service)
      const held = browser.held()
      for (const [kind, token, old] of [
        ['access', held.accessToken, before.accessToken],
        ['refresh', held.refreshToken, before.refreshToken],
      ] as const) {
        const claims = payloadOf(token)
        expect(claims, kind).to.include({ sub: String(target.id), aud: `${service.origin}/${kind}` })
        expect(claims['act'], kind).to.deep.include({ sub: String(admin.id), email: admin.email })
        expect(payloadOf(old), kind).to.not.have.property('act')
        expect(claims['sid'], kind).to.not.equal(payloadOf(old)['sid'])
      }
      expect(sessionIdOf(held.refreshToken)).to.equal(sessionIdOf(held.accessToken))
    })

    itWithSessions('gives a new cookie, and nothing but the address in `act`', async () => {
      const { browser, admin, target, before, reply } = await impersonation(service)
      const own = sessionIdOf(target.held().accessToken)
      expect(setCookies(reply)).to.have.length(1)
      expect(browser.held().cookie)
        .to.match(/^sid=[\w-]{43}$/)
        .and.not.equal(before.cookie)
      for (const token of [browser.held().accessToken, browser.held().refreshToken]) {
        const claims = payloadOf(token)
        expect(claims['act']).to.deep.equal({ sub: String(admin.id), email: admin.email })
        expect(claims['sid']).to.not.equal(own)
      }
    })

    it('voids what the administrator held before, at once', async () => {
      const { browser, before } = await impersonation(service)
      await expectDead(service, before)
      expect((await browser.getIdentity()).status).to.equal(200)
      expect((await browser.refresh()).status).to.equal(200)
    })

    itWithSessions('takes no half of the old credentials beside the other of the new', async () => {
      const { browser, before } = await impersonation(service)
      const held = browser.held()
      const { cookie, accessToken, refreshToken } = before
      const mixed = [{ cookie }, { accessToken }, { cookie, accessToken }]
      for (const old of mixed) expectInvalidToken(await identityWith(service, { ...held, ...old }))
      for (const old of [{ cookie }, { refreshToken }, { cookie, refreshToken }])
        expectInvalidToken(await refreshWith(service, { ...held, ...old }))
      expect((await browser.getIdentity()).status).to.equal(200)
      expect((await browser.refresh()).status).to.equal(200)
    })

    it("leaves the other account's own login and the administrator's other ones alone", async () => {
      const admin = await newcomer(service, ['admin'])
      const elsewhere = createBrowser(service, admin.email)
      await elsewhere.login()
      const target = await newcomer(service)
      expect((await loginAs(admin, target.id)).status).to.equal(200)
      await expectAlive(service, target.held())
      await expectAlive(service, elsewhere.held())
      await logoutAs(admin)
      await expectAlive(service, target.held())
      await expectAlive(service, elsewhere.held())
    })

    it("has the other account's permissions only", async () => {
      const { browser } = await impersonation(service)
      const reply = await browser.send('POST', CREATE_PROJECT, { json: PROJECT })
      expect([reply.status, reply.json]).to.deep.equal([403, notSaved(403, NOT_PERMITTED)])
      await logoutAs(browser)
      expect((await browser.send('POST', CREATE_PROJECT, { json: PROJECT })).status).to.equal(201)
    })

    it('makes what the other account is permitted to make, in its name', async () => {
      const { browser, target } = await impersonation(service, ['project-editor'])
      const reply = await browser.send('POST', CREATE_PROJECT, { json: PROJECT })
      expect(reply.status).to.equal(201)
      expect(reply.json).to.have.nested.property('view.data.createdBy', target.id)
    })

    it('goes on through a refresh, with `act` and with both users', async () => {
      const { browser, admin, target } = await impersonation(service)
      const { act, sid } = payloadOf(browser.held().accessToken)
      service.clock.now += 1000
      const reply = await browser.refresh()
      const { accessToken, refreshToken } = browser.held()
      const expected = actingAs(target, admin)
      const view = { ...expected.view, jwt: accessToken, refreshToken, refreshed: true }
      expect(reply.json).to.deep.equal({ ...expected, view })
      for (const token of [accessToken, refreshToken]) expect(payloadOf(token)).to.deep.include({ act, sid })
      expect((await browser.getIdentity()).json).to.deep.equal(expected)
    })

    itWithSessions('gives 16 refreshes at once the same pair and the same cookie', async () => {
      const { browser } = await impersonation(service)
      const held = browser.held()
      const replies = await Promise.all(Array.from({ length: 16 }, () => refreshWith(service, held)))
      expect(new Set(replies.map(({ status }) => status))).to.deep.equal(new Set([200]))
      expect(new Set(replies.map(({ text }) => text))).to.have.property('size', 1)
      expect(new Set(replies.map((reply) => setCookies(reply).join('|')))).to.have.property('size', 1)
      const after = keep(held, replies[0]!)
      expect(payloadOf(after.accessToken)['act']).to.deep.equal(payloadOf(held.accessToken)['act'])
      await expectAlive(service, after)
    })

    it('sees a role that the other account gets meanwhile', async () => {
      const { browser, target } = await impersonation(service)
      // For the row of the role.
      await newcomer(service, ['project-editor'])
      const role = { caller: OPERATOR, email: target.email, role: 'project-editor' }
      await service.useCases.assignRole(role)
      await browser.refresh()
      expect((await browser.send('POST', CREATE_PROJECT, { json: PROJECT })).status).to.equal(201)
    })

    it('begins with nothing else active where a refresh comes meanwhile', async () => {
      for (let round = 0; round < rounds(20); round += 1) {
        const admin = await newcomer(service, ['admin'])
        const target = await newcomer(service)
        const held = admin.held()
        const [refreshed] = await Promise.all([refreshWith(service, held), loginAs(admin, target.id)])
        for (const one of [held, keep(held, refreshed)]) await expectDead(service, one)
        await expectAlive(service, admin.held())
      }
    })

    itWithSessions(`begins once, of ${String(WIDTH)} calls at once with one session`, async () => {
      for (let round = 0; round < rounds(10); round += 1) {
        const admin = await newcomer(service, ['admin'])
        const target = await newcomer(service)
        const before = admin.held()
        const clients = Array.from({ length: WIDTH }, () =>
          createBrowser(service, admin.email, { held: before }),
        )
        const replies = await Promise.all(clients.map((client) => loginAs(client, target.id)))
        const winners = clients.filter((_client, index) => replies[index]?.status === 200)
        expect(winners).to.have.length(1)
        for (const reply of replies) if (reply.status !== 200) expectInvalidToken(reply)
        await expectAlive(service, winners[0]!.held())
        await expectDead(service, before)
        // Its own and the impersonation, which the end of the administrator's would end too.
        expect(await service.store.sessions.endAllOf(target.id as AccountId)).to.equal(2)
        expect(await service.store.sessions.endAllOf(admin.id as AccountId)).to.equal(0)
      }
    })

    itWithSessions(`ends once, of ${String(WIDTH)} calls of logout-as at once`, async () => {
      for (let round = 0; round < rounds(10); round += 1) {
        const { browser, admin, target } = await impersonation(service)
        const before = browser.held()
        const clients = Array.from({ length: WIDTH }, () =>
          createBrowser(service, admin.email, { held: before }),
        )
        const replies = await Promise.all(clients.map(logoutAs))
        const winners = clients.filter((_client, index) => replies[index]?.status === 200)
        expect(winners).to.have.length(1)
        for (const reply of replies) if (reply.status !== 200) expectInvalidToken(reply)
        await expectAlive(service, winners[0]!.held())
        await expectDead(service, before)
        expect(await service.store.sessions.endAllOf(admin.id as AccountId)).to.equal(1)
        expect(await service.store.sessions.endAllOf(target.id as AccountId)).to.equal(1)
      }
    })
  })
}
