import { expect } from 'chai'
import type { AccountId } from '../../../src/domain/identity/account.js'
import type { TestOptions } from '../../support/http/service.js'
import { itWithSessions, rounds } from '../../support/http/modes.js'
import {
  identityWith,
  keep,
  newcomer,
  refreshWith,
  sessionIdOf,
  setCookies,
} from '../../support/http/browser.js'
import { expectInvalidToken } from '../../support/http/expected.js'
import { KEPT, STORES, storesOfTests, type OpenedStore } from '../../support/stores.js'
import { servicesOfTests } from '../../support/http/services.js'

const WIDTH = 16
const ROUNDS = rounds(50)

const together = <T>(call: () => Promise<T>) => Promise.all(Array.from({ length: WIDTH }, call))

for (const { name, open } of STORES) {
  describe(`${String(WIDTH)} refreshes at once with one token, on the ${name} store`, () => {
    let opened: OpenedStore
    const start = servicesOfTests()
    const serve = (options: TestOptions = {}) => start({ store: opened.store, ...options })
    beforeEach(async () => {
      opened = await open()
    })
    afterEach(async () => {
      await opened.remove()
    })

    itWithSessions(
      `move the session by one generation and get the same bytes, ${String(ROUNDS)} times`,
      async () => {
        const service = await serve()
        const browser = await newcomer(service)
        let held = browser.held()
        for (let round = 1; round <= ROUNDS; round += 1) {
          service.clock.now += 1000
          const before = held
          const replies = await together(() => refreshWith(service, before))
          expect(new Set(replies.map(({ status }) => status))).to.deep.equal(new Set([200]))
          expect(new Set(replies.map(({ text }) => text))).to.have.property('size', 1)
          expect(new Set(replies.map((reply) => setCookies(reply).join('|')))).to.have.property('size', 1)
          held = keep(before, replies[0]!)
          expect(held.refreshToken).to.not.equal(before.refreshToken)
          const active = await service.store.sessions.findById(
            sessionIdOf(held.accessToken),
            service.clock.now,
          )
          expect(active?.session.current.number).to.equal(round + 1)
        }
        expect((await identityWith(service, held)).status).to.equal(200)
        expect(await service.store.sessions.endAllOf(browser.id as AccountId)).to.equal(1)
      },
    )

    itWithSessions('do the same when two services share the work', async () => {
      const service = await serve()
      const second = await serve({ settings: { publicUrl: service.origin } })
      const browser = await newcomer(service)
      let held = browser.held()
      for (let round = 1; round <= 10; round += 1) {
        const before = held
        let turn = 0
        const replies = await together(() => refreshWith((turn += 1) % 2 ? service : second, before))
        expect(new Set(replies.map(({ text }) => text))).to.have.property('size', 1)
        expect(new Set(replies.map((reply) => setCookies(reply).join('|')))).to.have.property('size', 1)
        held = keep(before, replies[0]!)
        expect((await identityWith(second, held)).status).to.equal(200)
      }
    })

    for (const apart of [0, 1, 4_000]) {
      itWithSessions(
        `without a window: exactly one gets a pair, and the session is ended, on services ${apart} ms apart`,
        async () => {
          const lifetimes = { refreshGrace: 0 }
          const service = await serve({ lifetimes })
          const behind = await serve({ lifetimes, settings: { publicUrl: service.origin } })
          behind.clock.now -= apart
          const browser = await newcomer(service)
          for (let round = 1; round <= ROUNDS; round += 1) {
            const before = browser.held()
            let turn = round
            const replies = await together(() => refreshWith((turn += 1) % 2 ? service : behind, before))
            const [winner, ...more] = replies.filter(({ status }) => status === 200)
            expect(more, `round ${round}`).to.deep.equal([])
            for (const reply of replies) if (reply !== winner) expectInvalidToken(reply)
            const held = keep(before, winner!)
            expectInvalidToken(await identityWith(service, held))
            expectInvalidToken(await refreshWith(service, held))
            await browser.login()
          }
        },
      )
    }
  })
}

describe('1,000 refreshes in a row of one session', () => {
  const serve = servicesOfTests()
  const opened = storesOfTests()

  itWithSessions('leave one row, and the last pair is good', async () => {
    const { store } = await opened(KEPT.open)
    const service = await serve({ store })
    const browser = await newcomer(service)
    for (let turn = 0; turn < 1000; turn += 1) {
      service.clock.now += 1000
      expect((await browser.refresh()).status, `refresh ${String(turn)}`).to.equal(200)
    }
    expect((await browser.getIdentity()).status).to.equal(200)
    const active = await store.sessions.findById(sessionIdOf(browser.held().accessToken), service.clock.now)
    expect(active?.session.current.number).to.equal(1001)
    expect(await store.sessions.endAllOf(browser.id as AccountId)).to.equal(1)
  })
})
