import { expect } from 'chai'
import type { AccountId } from '../../../src/domain/identity/account.js'
import { OPERATOR } from '../../../src/domain/access/caller.js'
import { startService, type TestService } from '../../support/http/service.js'
import { itWithSessions } from '../../support/http/modes.js'
import {
  CREATE_PROJECT,
  createBrowser,
  credentials,
  identityWith,
  newcomer,
  PROJECT,
  refreshWith,
  sessionIdOf,
  type Browser,
} from '../../support/http/browser.js'
import { expectInvalidToken, LOGIN_FAILED, PROJECT_INVALID_TOKEN } from '../../support/http/expected.js'
import { STORES, type OpenedStore } from '../../support/stores.js'
import { servicesOfTests } from '../../support/http/services.js'

const DAY = 86_400_000
type Newcomer = Browser & { readonly id: number }

for (const { name, open } of STORES) {
  describe(`the end of a session in the ${name} store`, () => {
    const serve = servicesOfTests()
    let opened: OpenedStore
    let service: TestService
    beforeEach(async () => {
      opened = await open()
      service = await startService({ store: opened.store })
    })
    afterEach(async () => {
      await service.close()
      await opened.remove()
    })

    const setPassword = (browser: Newcomer) =>
      service.useCases.setPassword({ caller: OPERATOR, email: browser.email, password: 'another one' })
    const ends: Readonly<Record<string, (browser: Newcomer) => Promise<unknown>>> = {
      'the password is changed': setPassword,
      'the account is disabled': ({ id }) =>
        service.store.accounts.setDisabled(id as AccountId, service.clock.now),
      'the account is disabled and enabled again': async ({ id }) => {
        await service.store.accounts.setDisabled(id as AccountId, service.clock.now)
        await service.store.accounts.setDisabled(id as AccountId, undefined)
      },
      'the account is deleted': ({ id }) => service.store.accounts.remove(id as AccountId),
      'all its sessions are revoked': ({ id }) => service.store.sessions.endAllOf(id as AccountId),
      'it is ended': ({ held }) => service.store.sessions.end(sessionIdOf(held().accessToken)),
    }
    for (const [what, end] of Object.entries(ends)) {
      itWithSessions(`comes at the next request after ${what}, for no other account`, async () => {
        const browser = await newcomer(service, ['admin'])
        const other = await newcomer(service)
        expect((await browser.getIdentity()).status).to.equal(200)
        await end(browser)
        expectInvalidToken(await browser.getIdentity())
        const reply = await browser.send('POST', CREATE_PROJECT, { json: PROJECT })
        expect(reply.json).to.deep.equal(PROJECT_INVALID_TOKEN)
        expectInvalidToken(await browser.refresh())
        expect((await browser.logout()).status).to.equal(200)
        expect((await other.getIdentity()).status).to.equal(200)
      })
    }

    it('lets only the new password in after a change', async () => {
      const browser = await newcomer(service)
      await setPassword(browser)
      expect((await browser.login()).json).to.deep.equal(LOGIN_FAILED)
      expect((await browser.login('another one')).status).to.equal(200)
      expect((await browser.getIdentity()).status).to.equal(200)
    })

    itWithSessions('comes when it was not refreshed for the life of a refresh token', async () => {
      const [kept, left] = [await newcomer(service), await newcomer(service)]
      service.clock.now += 7 * DAY - 1
      expect((await kept.refresh()).status).to.equal(200)
      service.clock.now += 1
      expectInvalidToken(await refreshWith(service, left.held()))
      expect((await kept.getIdentity()).status).to.equal(200)
      expect(await service.useCases.purgeExpired()).to.equal(1)
      expect(await service.useCases.purgeExpired()).to.equal(0)
      expect(await service.store.sessions.endAllOf(left.id as AccountId)).to.equal(0)
      expect(await service.store.sessions.endAllOf(kept.id as AccountId)).to.equal(1)
    })

    itWithSessions(
      'comes 30 days after login in spite of daily refreshes, and the row can be purged',
      async () => {
        const browser = await newcomer(service)
        for (let day = 1; day < 30; day += 1) {
          service.clock.now += DAY
          expect((await browser.refresh()).status, `day ${String(day)}`).to.equal(200)
        }
        service.clock.now += DAY - 1
        expect((await browser.refresh()).status).to.equal(200)
        expect((await browser.getIdentity()).status).to.equal(200)
        expect(await service.useCases.purgeExpired()).to.equal(0)
        service.clock.now += 1
        expectInvalidToken(await browser.getIdentity())
        expectInvalidToken(await browser.refresh())
        expect(await service.useCases.purgeExpired()).to.equal(1)
      },
    )

    it('has no second life by a clock that goes on', async () => {
      const browser = await newcomer(service)
      const before = browser.held()
      await browser.logout()
      for (const later of [1000, DAY, 40 * DAY]) {
        service.clock.now += later
        expectInvalidToken(await identityWith(service, before))
        expectInvalidToken(await refreshWith(service, before))
      }
    })

    it('is seen by another service on the same store', async () => {
      const second = await serve({ store: opened.store, settings: { publicUrl: service.origin } })
      const browser = await newcomer(service)
      const before = browser.held()
      expect((await identityWith(second, before)).status).to.equal(200)
      const there = createBrowser(second, browser.email, { held: before })
      expect((await there.logout()).status).to.equal(200)
      for (const one of [service, second]) {
        expectInvalidToken(await identityWith(one, before))
        expectInvalidToken(await refreshWith(one, before))
        const again = await one.client.call('POST', '/api/auth/logout', { headers: credentials(before) })
        expect(again.status).to.equal(200)
      }
    })
  })
}
