import { expect } from 'chai'
import type { AccountId } from '../../../src/domain/identity/account.js'
import { startService, type TestService } from '../../support/http/service.js'
import { itWithSessions } from '../../support/http/modes.js'
import {
  createBrowser,
  credentials,
  envelopeOf,
  newcomer,
  REFRESH,
  refreshWith,
  sessionIdOf,
  setCookies,
  type Held,
} from '../../support/http/browser.js'
import { expectInvalidToken, loggedOut } from '../../support/http/expected.js'

const GRACE = 10_000

describe('refresh', () => {
  let service: TestService
  beforeEach(async () => {
    service = await startService()
  })
  afterEach(() => service.close())

  const generation = async (held: Held) =>
    (await service.store.sessions.findById(sessionIdOf(held.accessToken), service.clock.now))?.session.current
      .number

  itWithSessions('answers with the full view, a new pair and one new cookie', async () => {
    const browser = await newcomer(service, ['editor'])
    const before = browser.held()
    const reply = await browser.refresh()
    const { jwt, refreshToken } = envelopeOf(reply).view
    const [role] = await service.store.roles.list()
    expect(reply.status).to.equal(200)
    expect(reply.json).to.deep.equal({
      code: 200,
      response: true,
      view: {
        jwt,
        refreshToken,
        refreshed: true,
        loggedIn: true,
        loggedInAs: false,
        user: { id: browser.id, email: browser.email },
        userAs: null,
        messages: [],
        roleList: { editor: { uuid: role?.uuid, key: 'editor', label: 'Label of editor' } },
        groupList: {},
        typeList: {},
      },
    })
    expect(setCookies(reply)).to.have.length(1)
    const after = browser.held()
    expect(after.accessToken).to.not.equal(before.accessToken)
    expect(after.refreshToken).to.not.equal(before.refreshToken)
    expect(after.cookie).to.not.equal(before.cookie)
    expect(sessionIdOf(after.accessToken)).to.equal(sessionIdOf(before.accessToken))
    expect((await browser.getIdentity()).status).to.equal(200)
    expect(await generation(after)).to.equal(2)
  })

  itWithSessions('without a refresh token is 401 and changes nothing', async () => {
    const browser = await newcomer(service)
    const required = { message: 'required', field: 'refreshToken', type: 'Required' }
    for (const json of [{}, { refreshToken: '' }]) {
      const headers = credentials({ cookie: browser.held().cookie })
      const reply = await service.client.call('POST', REFRESH, { headers, json })
      expect(reply.json).to.deep.equal(loggedOut(401, required))
      expect(setCookies(reply)).to.deep.equal([])
    }
    expect(await generation(browser.held())).to.equal(1)
  })

  itWithSessions('needs the cookie of its session, and a rejection ends nothing', async () => {
    const browser = await newcomer(service)
    const other = await newcomer(service)
    const elsewhere = createBrowser(service, browser.email)
    await elsewhere.login()
    const { refreshToken } = browser.held()
    const cookies = [undefined, `sid=${'A'.repeat(43)}`, 'sid=', other.held().cookie, elsewhere.held().cookie]
    for (const cookie of cookies) expectInvalidToken(await refreshWith(service, { cookie, refreshToken }))
    expect(await generation(browser.held())).to.equal(1)
    for (const one of [browser, other, elsewhere]) expect((await one.refresh()).status).to.equal(200)
  })

  describe('with a used token', () => {
    itWithSessions('returns the same successor, with the same bytes, inside the grace window', async () => {
      const browser = await newcomer(service)
      const before = browser.held()
      const first = await browser.refresh()
      for (const later of [0, 5000, GRACE - 5001]) {
        service.clock.now += later
        const again = await refreshWith(service, before)
        expect(again.text).to.equal(first.text)
        expect(setCookies(again)).to.deep.equal(setCookies(first))
      }
      expect(await generation(browser.held())).to.equal(2)
    })

    const cookies: Readonly<Record<string, (before: Held) => string | undefined>> = {
      'its own cookie': (before) => before.cookie,
      'no cookie': () => undefined,
      'an unknown cookie': () => `sid=${'A'.repeat(43)}`,
    }
    for (const [what, cookieOf] of Object.entries(cookies)) {
      itWithSessions(`ends the session after the window, with ${what}`, async () => {
        const browser = await newcomer(service)
        const before = browser.held()
        await browser.refresh()
        service.clock.now += GRACE
        const cookie = cookieOf(before)
        expectInvalidToken(await refreshWith(service, { ...before, cookie }))
        expectInvalidToken(await browser.getIdentity())
        expectInvalidToken(await browser.refresh())
        expect(await service.store.sessions.endAllOf(browser.id as AccountId)).to.equal(0)
      })
    }

    itWithSessions('returns the current pair with the active cookie, however late', async () => {
      const browser = await newcomer(service)
      const { refreshToken } = browser.held()
      const first = await browser.refresh()
      for (const later of [GRACE, 86_400_000]) {
        service.clock.now += later
        const again = await refreshWith(service, { ...browser.held(), refreshToken })
        expect(again.text).to.equal(first.text)
        expect(setCookies(again)).to.deep.equal(setCookies(first))
      }
      expect(await generation(browser.held())).to.equal(2)
    })
  })
})
