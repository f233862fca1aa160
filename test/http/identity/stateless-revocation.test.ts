import { expect } from 'chai'
import { OPERATOR } from '../../../src/domain/access/caller.js'
import type { Revocations } from '../../../src/ports/revocations.js'
import { startService, type TestService } from '../../support/http/service.js'
import { createBrowser, freshEmail, newcomer, type Browser } from '../../support/http/browser.js'
import { expectInvalidToken, loggedOut, UNAVAILABLE } from '../../support/http/expected.js'
import { unavailable } from '../../../src/domain/refusal.js'
import { servicesOfTests } from '../../support/http/services.js'
import { STORES, type OpenedStore } from '../../support/stores.js'
import { watching } from '../../support/watched-store.js'

const MONTH = 31 * 86_400_000

for (const { name, open } of STORES) {
  describe(`stateless mode with revocations in the ${name} store`, () => {
    let opened: OpenedStore
    let service: TestService
    let calls: string[] = []
    before(async () => {
      opened = await open()
      const store = watching((call, run) => {
        calls.push(call)
        return run()
      })(opened.store)
      service = await startService({ store, mode: 'stateless-revocable' })
    })
    after(async () => {
      await service.close()
      await opened.remove()
    })

    it('asks the store once at every request', async () => {
      const browser = await newcomer(service)
      calls = []
      expect((await browser.getIdentity()).status).to.equal(200)
      expect(calls).to.deep.equal(['revocations.isRevoked'])
    })

    it('ends the login at logout, and no other of the same account', async () => {
      const browser = await newcomer(service)
      const elsewhere = createBrowser(service, browser.email)
      await elsewhere.login()
      expect((await browser.logout()).json).to.deep.equal(loggedOut(200))
      expectInvalidToken(await browser.getIdentity())
      expectInvalidToken(await browser.refresh())
      expect((await browser.logout()).status).to.equal(200)
      expect((await elsewhere.getIdentity()).status).to.equal(200)
      expect((await elsewhere.refresh()).status).to.equal(200)
    })

    it('ends with a logout every pair of the login, also one that a refresh makes meanwhile', async () => {
      for (let round = 0; round < 20; round += 1) {
        const browser = await newcomer(service)
        const again = createBrowser(service, browser.email, { held: browser.held() })
        await Promise.all([browser.logout(), again.refresh()])
        expectInvalidToken(await again.getIdentity())
        expectInvalidToken(await again.refresh())
      }
    })

    const ends: Readonly<Record<string, (browser: Browser) => Promise<unknown>>> = {
      'another password': ({ email }) =>
        service.useCases.setPassword({ caller: OPERATOR, email, password: 'another one' }),
      'session revoke': ({ email }) => service.useCases.revokeSessions({ caller: OPERATOR, email }),
      disabling: ({ email }) => service.useCases.disableUser({ caller: OPERATOR, email }),
      deletion: ({ email }) => service.useCases.deleteUser({ caller: OPERATOR, email }),
    }
    for (const [what, end] of Object.entries(ends)) {
      it(`ends all logins of the account at the next request after ${what}, and no other's`, async () => {
        const [browser, other] = [await newcomer(service), await newcomer(service)]
        const elsewhere = createBrowser(service, browser.email)
        await elsewhere.login()
        await end(browser)
        for (const one of [browser, elsewhere]) {
          expectInvalidToken(await one.getIdentity())
          expectInvalidToken(await one.refresh())
        }
        expect((await other.getIdentity()).status).to.equal(200)
      })
    }

    it('lets in again at once after session revoke, in the same second too', async () => {
      const browser = await newcomer(service)
      await service.useCases.revokeSessions({ caller: OPERATOR, email: browser.email })
      expectInvalidToken(await browser.getIdentity())
      expect((await browser.login()).status).to.equal(200)
      expect((await browser.getIdentity()).status).to.equal(200)
    })

    it('forgets a logout when the last token of the login has expired', async () => {
      const browser = await newcomer(service)
      await service.useCases.purgeExpired()
      await browser.logout()
      expect(await service.useCases.purgeExpired()).to.equal(0)
      service.clock.now += MONTH
      expect(await service.useCases.purgeExpired()).to.be.greaterThan(0)
      expectInvalidToken(await browser.getIdentity())
      service.clock.now -= MONTH
    })
  })
}

describe('a logout in stateless mode', () => {
  const serve = servicesOfTests()

  it('holds for as long as the last token of the login passes for valid, leeway included', async () => {
    const service = await serve({
      lifetimes: { accessToken: 60_000, refreshToken: 60_000, session: 60_000 },
      mode: 'stateless-revocable',
    })
    const [out, other] = [await newcomer(service), await newcomer(service)]
    await out.logout()
    const end = (Math.floor(service.clock.now / 1000) + 60) * 1000
    service.clock.now = end + 4_999
    expect((await other.getIdentity()).status).to.equal(200)
    expectInvalidToken(await out.getIdentity())
  })
})

describe('revocations of an embedder', () => {
  const serve = servicesOfTests()

  it('are asked with the login, its account and its epoch, and told of a logout with the latest moment', async () => {
    const asked: unknown[] = []
    const told: unknown[] = []
    const revocations: Revocations = {
      isRevoked: async (login, at) => {
        asked.push([login, at])
        return told.length > 0
      },
      revoke: async (...logout) => {
        told.push(logout)
        return 'revoked'
      },
      rotate: async () => expect.fail('no refresh is asked for'),
      purge: async () => 0,
    }
    const service = await serve({
      mode: 'stateless-revocable',
      aroundStore: (store) => ({ ...store, revocations }),
    })
    const browser = await newcomer(service)
    expect((await browser.getIdentity()).status).to.equal(200)
    await browser.logout()
    expectInvalidToken(await browser.getIdentity())
    const [[login, at]] = asked as [[{ sessionId: string }, number]]
    expect(login).to.deep.include({ accountId: browser.id, epoch: 1 })
    expect(at).to.equal(service.clock.now)
    const end = (Math.floor(service.clock.now / 1000) + 2_592_000 + 5) * 1000
    expect(told).to.deep.equal([[login.sessionId, end]])
  })

  it('that cannot be reached are 503, never an answer', async () => {
    const away = async () => {
      throw unavailable('away')
    }
    const revocations: Revocations = { isRevoked: away, rotate: away, revoke: away, purge: async () => 0 }
    const service = await serve({
      mode: 'stateless-revocable',
      aroundStore: (store) => ({ ...store, revocations }),
    })
    const email = freshEmail()
    await service.account(email)
    const browser = createBrowser(service, email)
    await browser.login()
    for (const reply of [await browser.getIdentity(), await browser.refresh(), await browser.logout()]) {
      expect([reply.status, reply.json]).to.deep.equal([503, UNAVAILABLE])
    }
  })
})
