import { expect } from 'chai'
import type { AccountId } from '../../../src/domain/identity/account.js'
import { PASSWORD, startService, type TestService } from '../../support/http/service.js'
import { itWithSessions } from '../../support/http/modes.js'
import {
  credentials,
  createBrowser,
  GET_IDENTITY,
  identityWith,
  LOGIN,
  newcomer,
  refreshWith,
  setCookies,
} from '../../support/http/browser.js'
import { expectInvalidToken, loggedOut } from '../../support/http/expected.js'
import { createGate, watching } from '../../support/watched-store.js'
import { servicesOfTests } from '../../support/http/services.js'
import { KEPT, storesOfTests } from '../../support/stores.js'

describe('a new login', () => {
  let service: TestService
  before(async () => {
    service = await startService()
  })
  after(() => service.close())

  itWithSessions('takes no key that was planted', async () => {
    const browser = await newcomer(service)
    const planted = `sid=${'A'.repeat(43)}`
    const victim = createBrowser(service, browser.email, { held: { cookie: planted } })
    expect((await victim.login()).status).to.equal(200)
    expect(victim.held().cookie).to.match(/^sid=[\w-]{43}$/)
    expect(victim.held().cookie).to.not.equal(planted)
    expectInvalidToken(await identityWith(service, { ...victim.held(), cookie: planted }))
    expect((await victim.getIdentity()).status).to.equal(200)
  })

  itWithSessions('ends the session whose cookie came along, and that one only', async () => {
    const browser = await newcomer(service)
    const elsewhere = createBrowser(service, browser.email)
    await elsewhere.login()
    const old = browser.held()
    await browser.login()
    expectInvalidToken(await identityWith(service, old))
    expectInvalidToken(await refreshWith(service, old))
    expect((await browser.getIdentity()).status).to.equal(200)
    expect((await elsewhere.getIdentity()).status).to.equal(200)
  })

  itWithSessions('ends also the session of another account whose cookie came along', async () => {
    const one = await newcomer(service)
    const other = await newcomer(service)
    const next = createBrowser(service, other.email, { held: { cookie: one.held().cookie } })
    await next.login()
    expectInvalidToken(await one.getIdentity())
    expect((await next.getIdentity()).status).to.equal(200)
    expect((await other.getIdentity()).status).to.equal(200)
  })

  itWithSessions('makes keys, session ids and token ids that never repeat', async () => {
    const browser = await newcomer(service)
    const seen = new Set<string>()
    for (let login = 0; login < 50; login += 1) {
      await browser.login()
      const { cookie = '', accessToken = '', refreshToken = '' } = browser.held()
      for (const one of [cookie, accessToken, refreshToken]) seen.add(one)
    }
    expect(seen).to.have.property('size', 150)
  })

  describe('with an access token', () => {
    const login = (email: string, accessToken: string | undefined, cookie?: string) =>
      service.client.call('POST', LOGIN, {
        headers: credentials({ accessToken, cookie }),
        json: { email, password: PASSWORD },
      })

    it('that is good goes on', async () => {
      const { email, held } = await newcomer(service)
      expect((await login(email, held().accessToken)).status).to.equal(200)
    })

    it('that is good but of an ended session goes on', async () => {
      const browser = await newcomer(service)
      const { accessToken, cookie } = browser.held()
      await browser.logout()
      expect((await login(browser.email, accessToken, cookie)).status).to.equal(200)
    })

    it('that is good but of another session than the cookie goes on', async () => {
      const [one, other] = [await newcomer(service), await newcomer(service)]
      expect((await login(one.email, other.held().accessToken, one.held().cookie)).status).to.equal(200)
    })

    for (const [what, change] of Object.entries({
      'that is not authentic': (token: string) => `${token.slice(0, -3)}AAA`,
      'that is no token': () => 'rubbish',
    })) {
      it(`${what} is refused, and the old session goes on`, async () => {
        const browser = await newcomer(service)
        const { accessToken = '', cookie } = browser.held()
        expectInvalidToken(await login(browser.email, change(accessToken), cookie))
        expect((await browser.getIdentity()).status).to.equal(200)
      })
    }

    it('that is a refresh token is refused', async () => {
      const { email, held } = await newcomer(service)
      expectInvalidToken(await login(email, held().refreshToken))
    })
  })
})

describe('a role', () => {
  const serve = servicesOfTests()

  itWithSessions('that is given or taken away is in force at the next request', async () => {
    const service = await serve()
    const browser = await newcomer(service)
    const [admin] = [await newcomer(service, ['admin'])]
    const roleKeys = async () =>
      Object.keys(((await browser.getIdentity()).json as { view: { roleList: object } }).view.roleList)
    const { email } = browser
    expect(await roleKeys()).to.deep.equal([])
    await service.store.roles.assign(email as never, 'admin' as never)
    expect(await roleKeys()).to.deep.equal(['admin'])
    expect((await browser.send('POST', '/api/project/create', { json: {} })).status).to.equal(422)
    await service.store.roles.unassign(email as never, 'admin' as never)
    expect(await roleKeys()).to.deep.equal([])
    expect((await browser.send('POST', '/api/project/create', { json: {} })).status).to.equal(403)
    expect((await admin.send('POST', '/api/project/create', { json: {} })).status).to.equal(422)
  })
})

describe('a slow request', () => {
  const serve = servicesOfTests()
  const opened = storesOfTests()

  itWithSessions(
    'that was let in before a logout neither revives the session nor sets a cookie',
    async () => {
      const gate = createGate()
      let held = false
      const aroundStore = watching(async (name, run) => {
        const answer = await run()
        if (held && name === 'sessions.find') {
          held = false
          await gate.pass()
        }
        return answer
      })
      const service = await serve({ aroundStore })
      const browser = await newcomer(service)
      const before = browser.held()
      held = true
      const slow = service.client.call('GET', GET_IDENTITY, { headers: credentials(before) })
      await gate.reached
      expect((await browser.logout()).json).to.deep.equal(loggedOut(200))
      gate.release()
      const reply = await slow
      expect(reply.status).to.equal(200)
      expect(setCookies(reply)).to.deep.equal([])
      expectInvalidToken(await identityWith(service, before))
      expectInvalidToken(await refreshWith(service, before))
    },
  )

  itWithSessions('that was let in to refresh before a logout gets 401 and no pair', async () => {
    const gate = createGate()
    const aroundStore = watching(async (name, run) => {
      if (name === 'sessions.rotate') await gate.pass()
      return await run()
    })
    const service = await serve({ aroundStore })
    const browser = await newcomer(service)
    const slow = refreshWith(service, browser.held())
    await gate.reached
    expect((await browser.logout()).status).to.equal(200)
    gate.release()
    expectInvalidToken(await slow)
  })

  it('that was let in to log in before its account was deleted leads nowhere', async () => {
    const gate = createGate()
    let holding = false
    const { store } = await opened(KEPT.open)
    const service = await serve({
      store,
      aroundHasher: (hasher) => ({
        ...hasher,
        verify: async (password, hash) => {
          if (holding) await gate.pass()
          return await hasher.verify(password, hash)
        },
      }),
    })
    const browser = await newcomer(service)
    holding = true
    const slow = browser.login()
    await gate.reached
    await store.accounts.remove(browser.id as AccountId)
    gate.release()
    expect((await slow).status).to.equal(200)
    expectInvalidToken(await browser.getIdentity())
    expectInvalidToken(await browser.refresh())
  })
})
