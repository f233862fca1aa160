import { expect } from 'chai'
import { itWithSessions } from '../../support/http/modes.js'
import type { TestOptions, TestService } from '../../support/http/service.js'
import { newEntriesOf } from './audit-reading.js'
import { newcomer, refreshWith, type Held } from '../../support/http/browser.js'
import { servicesOfTests } from '../../support/http/services.js'
import { STORES, storesOfTests } from '../../support/stores.js'

const HOME = '203.0.113.7'
const ELSEWHERE = '198.51.100.9'
const MINUTE = 60_000

for (const { name, open } of STORES) {
  describe(`a login that is refreshed from two networks, on the ${name} store`, () => {
    const serve = servicesOfTests()
    const opened = storesOfTests()

    const from = (service: TestService, held: Held, address: string) =>
      refreshWith(service, held, { 'X-Forwarded-For': address })

    async function start() {
      const { store } = await opened(open)
      const options: TestOptions = { store, settings: { trustProxy: 1 } }
      const service = await serve(options)
      const second = await serve({ store, settings: { trustProxy: 1, publicUrl: service.origin } })
      const browser = await newcomer(service)
      const newEntries = newEntriesOf(store)
      await newEntries()
      // Records of two services are in an order only where they are not of one millisecond.
      for (const one of [service, second]) one.clock.now += 1_000
      const onRecord = async () =>
        (await newEntries()).map(({ event, actor, subject, address, outcome }) => [
          ...[event, actor, subject, address, outcome],
        ])
      const shared = [
        'refresh.shared',
        `account:${browser.id}`,
        `account:${browser.id}`,
        ELSEWHERE,
        'success',
      ]
      return { service, second, browser, onRecord, shared, first: browser.held() }
    }

    itWithSessions('is audited where the other one comes second, once a minute for a session', async () => {
      const { service, second, first, onRecord, shared } = await start()
      const given = await from(service, first, HOME)
      expect((await from(service, first, HOME)).text).to.equal(given.text)
      expect(await onRecord()).to.deep.equal([])
      expect((await from(service, first, ELSEWHERE)).text).to.equal(given.text)
      expect(await onRecord()).to.deep.equal([shared])
      service.clock.now += 5_000
      second.clock.now = service.clock.now
      for (const one of [service, second, service]) {
        expect((await from(one, first, ELSEWHERE)).status).to.equal(200)
        expect((await from(one, first, '192.0.2.1')).status).to.equal(200)
      }
      expect(await onRecord()).to.deep.equal([])
    })

    itWithSessions('is audited again after a minute, of a tab that slept too', async () => {
      const { service, browser, first, onRecord, shared } = await start()
      await from(service, first, HOME)
      await from(service, first, ELSEWHERE)
      // A thief with the cookie of this browser.
      const { cookie } = await refreshed(service, first)
      for (const later of [MINUTE, MINUTE]) {
        service.clock.now += later
        expect((await from(service, { ...first, cookie }, ELSEWHERE)).status).to.equal(200)
      }
      expect(await onRecord()).to.deep.equal([shared, shared, shared])
      expect(browser.held().accessToken).to.equal(first.accessToken)
    })

    itWithSessions('is audited once, of 16 that come second at one moment', async () => {
      const { service, second, first, onRecord, shared } = await start()
      await from(service, first, HOME)
      const replies = await Promise.all(
        Array.from({ length: 16 }, (_, index) => from(index % 2 ? service : second, first, ELSEWHERE)),
      )
      expect(new Set(replies.map(({ status }) => status))).to.deep.equal(new Set([200]))
      expect(await onRecord()).to.deep.equal([shared])
    })

    itWithSessions('is not audited within one network, nor where each moves the session on', async () => {
      const { service, first, onRecord } = await start()
      await from(service, first, '2001:db8:1:2:3:4:5:6')
      await from(service, first, '2001:db8:1:2::1')
      const other = await newcomer(service)
      for (const address of [HOME, ELSEWHERE, HOME]) {
        const reply = await other.send('POST', '/api/auth/refresh', {
          json: { refreshToken: other.held().refreshToken },
          headers: { 'X-Forwarded-For': address },
        })
        expect(reply.status).to.equal(200)
      }
      expect((await onRecord()).map(([event]) => event)).to.deep.equal(['user.create', 'login'])
    })

    itWithSessions('is not audited where the last refresh came from an unknown network', async () => {
      const { service, first, onRecord } = await start()
      const sessionKey = first.cookie?.split('=')[1]
      await service.useCases.refresh({ refreshToken: first.refreshToken, presented: { sessionKey } })
      expect((await from(service, first, ELSEWHERE)).status).to.equal(200)
      expect(await onRecord()).to.deep.equal([])
    })

    /** What the browser holds after its refresh, by asking for it again. */
    async function refreshed(service: TestService, held: Held): Promise<Held> {
      const reply = await from(service, held, HOME)
      return { cookie: reply.headers['set-cookie']?.[0]?.split(';')[0] }
    }
  })
}
