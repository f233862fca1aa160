import { expect } from 'chai'
import type { AccountId } from '../../../src/domain/identity/account.js'
import { startService, type TestService } from '../../support/http/service.js'
import { itWithSessions } from '../../support/http/modes.js'
import {
  createBrowser,
  credentials,
  envelopeOf,
  identityWith,
  newcomer,
  REFRESH,
  refreshWith,
  sessionIdOf,
  setCookies,
  type Held,
} from '../../support/http/browser.js'
import { expectInvalidToken, loggedOut } from '../../support/http/expected.js'
import { servicesOfTests } from '../../support/http/services.js'

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

  itWithSessions('answers with the whole view, a new pair and one new cookie', async () => {
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

  itWithSessions('takes no access token and no other text for a refresh token', async () => {
    const browser = await newcomer(service)
    const { accessToken, refreshToken = '', cookie } = browser.held()
    const wrong = [accessToken, 'rubbish', `${refreshToken}=`, ` ${refreshToken}`, 'A'.repeat(9216)]
    for (const one of wrong) expectInvalidToken(await refreshWith(service, { cookie, refreshToken: one }))
    expect(await generation(browser.held())).to.equal(1)
    expect((await browser.refresh()).status).to.equal(200)
  })

  itWithSessions('needs the cookie of its session, and a refusal ends nothing', async () => {
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

  it('is refused once the account is disabled or deleted', async () => {
    const [disabled, deleted] = [await newcomer(service), await newcomer(service)]
    await service.store.accounts.setDisabled(disabled.id as AccountId, service.clock.now)
    await service.store.accounts.remove(deleted.id as AccountId)
    expectInvalidToken(await disabled.refresh())
    expectInvalidToken(await deleted.refresh())
    await service.store.accounts.setDisabled(disabled.id as AccountId, undefined)
    expectInvalidToken(await disabled.refresh())
  })

  it('shows roles as they are now', async () => {
    const browser = await newcomer(service, ['editor'])
    await service.store.roles.unassign(browser.email as never, 'editor' as never)
    expect(envelopeOf(await browser.refresh()).view.roleList).to.deep.equal({})
  })

  itWithSessions('leaves the previous cookie good for reading until the window ends', async () => {
    const browser = await newcomer(service)
    const { cookie } = browser.held()
    await browser.refresh()
    service.clock.now += GRACE - 1
    expect((await identityWith(service, { ...browser.held(), cookie })).status).to.equal(200)
    service.clock.now += 1
    expectInvalidToken(await identityWith(service, { ...browser.held(), cookie }))
    expect((await browser.getIdentity()).status).to.equal(200)
  })

  describe('with a token that was spent', () => {
    itWithSessions('gives the same successor, to the byte, inside the window', async () => {
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

    itWithSessions('gives that successor also beside the new cookie', async () => {
      const browser = await newcomer(service)
      const { refreshToken } = browser.held()
      const first = await browser.refresh()
      const again = await refreshWith(service, { ...browser.held(), refreshToken })
      expect(again.text).to.equal(first.text)
      expect(setCookies(again)).to.deep.equal(setCookies(first))
    })

    itWithSessions(
      'is refused inside the window beside no cookie or a foreign one, and ends nothing',
      async () => {
        const [browser, other] = [await newcomer(service), await newcomer(service)]
        const { refreshToken } = browser.held()
        await browser.refresh()
        for (const cookie of [undefined, `sid=${'A'.repeat(43)}`, other.held().cookie]) {
          expectInvalidToken(await refreshWith(service, { cookie, refreshToken }))
        }
        for (const one of [browser, other]) expect((await one.getIdentity()).status).to.equal(200)
      },
    )

    const cookies: Readonly<Record<string, (before: Held) => string | undefined>> = {
      'its own cookie': (before) => before.cookie,
      'no cookie': () => undefined,
      'an unknown cookie': () => `sid=${'A'.repeat(43)}`,
    }
    for (const [what, cookieOf] of Object.entries(cookies)) {
      itWithSessions(`ends the session after the window, beside ${what}`, async () => {
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

    itWithSessions('gives the current pair beside the active cookie, however late', async () => {
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

    itWithSessions('is refused beside the active cookie once it has expired itself', async () => {
      const browser = await newcomer(service)
      const { refreshToken } = browser.held()
      service.clock.now += 86_400_000
      await browser.refresh()
      service.clock.now += 6 * 86_400_000 + 5_000
      expectInvalidToken(await refreshWith(service, { ...browser.held(), refreshToken }))
      expect((await browser.refresh()).status).to.equal(200)
    })

    itWithSessions(
      'ends nothing after the window where the cookie is the active one of another session',
      async () => {
        const [browser, other] = [await newcomer(service), await newcomer(service)]
        const { refreshToken } = browser.held()
        await browser.refresh()
        service.clock.now += GRACE
        expectInvalidToken(await refreshWith(service, { refreshToken, cookie: other.held().cookie }))
        for (const one of [browser, other]) expect((await one.getIdentity()).status).to.equal(200)
      },
    )

    itWithSessions('ends the session at once where it is two generations old', async () => {
      const browser = await newcomer(service)
      const before = browser.held()
      await browser.refresh()
      await browser.refresh()
      expect((await browser.getIdentity()).status).to.equal(200)
      expectInvalidToken(await refreshWith(service, before))
      expectInvalidToken(await browser.getIdentity())
      expectInvalidToken(await browser.refresh())
    })

    itWithSessions('has its window counted from the first refresh; later ones extend nothing', async () => {
      const browser = await newcomer(service)
      const before = browser.held()
      await browser.refresh()
      for (let second = 1; second < 10; second += 1) {
        service.clock.now += 1000
        expect((await refreshWith(service, before)).status).to.equal(200)
      }
      service.clock.now += 1000
      expectInvalidToken(await refreshWith(service, before))
    })
  })

  itWithSessions('moves on with the previous cookie and the current token inside the window', async () => {
    const browser = await newcomer(service)
    const { cookie } = browser.held()
    await browser.refresh()
    const reply = await refreshWith(service, { ...browser.held(), cookie })
    expect(reply.status).to.equal(200)
    expect(await generation(browser.held())).to.equal(3)
    // No browser holds the pair of the retry: that cookie is two generations old by now.
    expectInvalidToken(await refreshWith(service, { ...browser.held(), cookie }))
    // A holder of the current cookie gets the very same.
    const again = await refreshWith(service, browser.held())
    expect(again.text).to.equal(reply.text)
    expect(setCookies(again)).to.deep.equal(setCookies(reply))
  })

  itWithSessions(
    'refuses the previous cookie with the current token after the window, and ends nothing',
    async () => {
      const browser = await newcomer(service)
      const { cookie } = browser.held()
      await browser.refresh()
      service.clock.now += GRACE
      expectInvalidToken(await refreshWith(service, { ...browser.held(), cookie }))
      expect((await browser.refresh()).status).to.equal(200)
    },
  )
})

describe('refresh without a grace window', () => {
  const serve = servicesOfTests()

  const cookies: Readonly<Record<string, (before: Held, after: Held) => string | undefined>> = {
    'its own cookie': (before) => before.cookie,
    'the active cookie': (_before, after) => after.cookie,
    'no cookie': () => undefined,
  }
  for (const [what, cookieOf] of Object.entries(cookies)) {
    itWithSessions(`takes every second use for a replay, beside ${what}`, async () => {
      const service = await serve({ lifetimes: { refreshGrace: 0 } })
      const browser = await newcomer(service)
      const before = browser.held()
      expect((await browser.refresh()).status).to.equal(200)
      expectInvalidToken(await identityWith(service, { ...browser.held(), cookie: before.cookie }))
      expect((await browser.getIdentity()).status).to.equal(200)
      expectInvalidToken(await refreshWith(service, { ...before, cookie: cookieOf(before, browser.held()) }))
      expectInvalidToken(await browser.getIdentity())
      expectInvalidToken(await browser.refresh())
    })
  }
})
