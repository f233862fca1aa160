import { expect } from 'chai'
import { itWithSessions } from '../../support/http/modes.js'
import type { Reply } from '../../support/http/client.js'
import type { TestService } from '../../support/http/service.js'
import {
  credentials,
  identityWith,
  keep,
  newcomer,
  REFRESH,
  refreshWith,
  setCookies,
  type Held,
} from '../../support/http/browser.js'
import { expectInvalidToken } from '../../support/http/expected.js'
import { servicesOfTests } from '../../support/http/services.js'
import { STORES, storesOfTests } from '../../support/stores.js'

const GRACE = 10_000
const MINUTE = 60_000

/** Makes tabs of one browser: each has tokens of its own, all have the one cookie. */
function tabsOf(service: TestService, first: Held) {
  let { cookie } = first
  return () => {
    let held = first
    return {
      held: (): Held => ({ ...held, cookie }),
      refresh: async (): Promise<Reply> => {
        const reply = await refreshWith(service, { ...held, cookie })
        held = keep(held, reply)
        if (setCookies(reply).length > 0) cookie = held.cookie
        return reply
      },
      getIdentity: () => identityWith(service, { ...held, cookie }),
    }
  }
}

for (const { name, open } of STORES) {
  describe(`tabs of one browser, on the ${name} store`, () => {
    const serve = servicesOfTests()
    const opened = storesOfTests()

    async function browserOf(count: number) {
      const { store } = await opened(open)
      const service = await serve({ store, lifetimes: { refreshGrace: GRACE } })
      const first = await newcomer(service)
      return { service, first, tabs: Array.from({ length: count }, tabsOf(service, first.held())) }
    }

    itWithSessions('log each other out in no way when one slept through refreshes of another', async () => {
      const { service, tabs } = await browserOf(2)
      const [awake, asleep] = tabs
      let last = await awake!.refresh()
      for (let time = 1; time < 4; time += 1) {
        service.clock.now += MINUTE
        last = await awake!.refresh()
        expect(last.status).to.equal(200)
      }
      service.clock.now += MINUTE
      const woken = await asleep!.refresh()
      expect(woken.status).to.equal(200)
      expect(woken.text).to.equal(last.text)
      expect(setCookies(woken)).to.deep.equal(setCookies(last))
      for (const tab of tabs) expect((await tab.getIdentity()).status).to.equal(200)
      service.clock.now += MINUTE
      for (const tab of tabs) expect((await tab.refresh()).status).to.equal(200)
      for (const tab of tabs) expect((await tab.getIdentity()).status).to.equal(200)
    })

    itWithSessions('log each other out in no way when all wake at one moment', async () => {
      const { service, tabs } = await browserOf(6)
      // Each fell asleep one refresh later than the one before it.
      for (const [index] of tabs.entries()) {
        service.clock.now += MINUTE
        for (const tab of tabs.slice(index + 1)) expect((await tab.refresh()).status).to.equal(200)
      }
      service.clock.now += MINUTE
      const replies = await Promise.all(tabs.map((tab) => tab.refresh()))
      expect(replies.map(({ status }) => status)).to.deep.equal(tabs.map(() => 200))
      for (const tab of tabs) expect((await tab.refresh()).status).to.equal(200)
      for (const tab of tabs) expect((await tab.getIdentity()).status).to.equal(200)
    })

    const cookies: Readonly<Record<string, (stolen: Held, previous: Held) => string | undefined>> = {
      'the cookie that was stolen with it': (stolen) => stolen.cookie,
      'the previous cookie': (_stolen, previous) => previous.cookie,
      'no cookie': () => undefined,
    }
    for (const [what, cookieOf] of Object.entries(cookies)) {
      itWithSessions(`are logged out by a thief with a spent token and ${what}`, async () => {
        const { service, tabs } = await browserOf(2)
        const stolen = tabs[0]!.held()
        await tabs[0]!.refresh()
        service.clock.now += MINUTE
        const previous = tabs[0]!.held()
        await tabs[0]!.refresh()
        service.clock.now += GRACE
        expectInvalidToken(await refreshWith(service, { ...stolen, cookie: cookieOf(stolen, previous) }))
        for (const tab of tabs) expectInvalidToken(await tab.getIdentity())
      })
    }

    itWithSessions('are logged out where a thief moved on with both and the owner comes later', async () => {
      const { service, first, tabs } = await browserOf(1)
      const thief = await refreshWith(service, first.held())
      service.clock.now += GRACE
      expectInvalidToken(await tabs[0]!.refresh())
      expectInvalidToken(await identityWith(service, keep(first.held(), thief)))
    })

    itWithSessions('are not ended by a refresh beside a bearer of another login, spent or not', async () => {
      const { service, first } = await browserOf(1)
      const other = await newcomer(service)
      const before = first.held()
      const beside = (held: Held) => {
        const headers = credentials({ cookie: held.cookie, accessToken: other.held().accessToken })
        return service.client.call('POST', REFRESH, { headers, json: { refreshToken: held.refreshToken } })
      }
      expectInvalidToken(await beside(before))
      expect((await first.refresh()).status).to.equal(200)
      for (const later of [0, MINUTE]) {
        service.clock.now += later
        expectInvalidToken(await beside(before))
        expectInvalidToken(await beside({ ...before, cookie: undefined }))
        expectInvalidToken(await beside({ ...before, cookie: first.held().cookie }))
      }
      for (const browser of [first, other]) expect((await browser.getIdentity()).status).to.equal(200)
    })
  })
}
