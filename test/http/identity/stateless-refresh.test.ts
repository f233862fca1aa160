import { expect } from 'chai'
import { OPERATOR } from '../../../src/domain/access/caller.js'
import type { Reply } from '../../support/http/client.js'
import { PASSPHRASE, type startService, type TestOptions } from '../../support/http/service.js'
import { rounds } from '../../support/http/modes.js'
import {
  createBrowser,
  identityWith,
  keep,
  newcomer,
  refreshWith,
  type Held,
} from '../../support/http/browser.js'
import { expectInvalidToken } from '../../support/http/expected.js'
import { servicesOfTests } from '../../support/http/services.js'
import { STORES, type OpenedStore } from '../../support/stores.js'

const WIDTH = 16
const ROUNDS = rounds(50)
const GRACE = 10_000

const together = <T>(call: (index: number) => Promise<T>) =>
  Promise.all(Array.from({ length: WIDTH }, (_, index) => call(index)))

const statusesOf = (replies: readonly Reply[]) => replies.map(({ status }) => status).sort()

for (const { name, open } of STORES) {
  describe(`refreshes without a session, with revocations in the ${name} store`, () => {
    let opened: OpenedStore
    const start = servicesOfTests()
    const serve = (options: TestOptions = {}) =>
      start({ store: opened.store, mode: 'stateless-revocable', ...options })
    beforeEach(async () => {
      opened = await open()
    })
    afterEach(async () => {
      await opened.remove()
    })

    /** Neither credential of what was ever given out for the login is good any more. */
    async function expectDead(service: Awaited<ReturnType<typeof startService>>, all: readonly Held[]) {
      for (const held of all) {
        expectInvalidToken(await identityWith(service, held))
        expectInvalidToken(await refreshWith(service, held))
      }
    }

    it(`of ${WIDTH} at once with one token all get the same bytes, ${ROUNDS} times`, async () => {
      const service = await serve()
      const second = await serve({ settings: { publicUrl: service.origin } })
      const browser = await newcomer(service)
      let held = browser.held()
      for (let round = 0; round < ROUNDS; round += 1) {
        service.clock.now += 1000
        second.clock.now += 1000
        const before = held
        const replies = await together((index) => refreshWith(index % 2 ? service : second, before))
        expect(statusesOf(replies)).to.deep.equal(Array.from({ length: WIDTH }, () => 200))
        expect(new Set(replies.map(({ text }) => text))).to.have.property('size', 1)
        held = keep(before, replies[0]!)
        expect(held.refreshToken).to.not.equal(before.refreshToken)
      }
      expect((await identityWith(second, held)).status).to.equal(200)
      service.clock.now += 40 * 86_400_000
      expect(await service.useCases.purgeExpired()).to.equal(1)
    })

    it(`without a window exactly one gets a pair and the login is ended, ${ROUNDS} times`, async () => {
      const service = await serve({ lifetimes: { refreshGrace: 0 } })
      const { email } = await newcomer(service)
      for (let round = 0; round < ROUNDS; round += 1) {
        const browser = createBrowser(service, email)
        await browser.login()
        if (round % 2) await browser.refresh()
        const before = browser.held()
        const replies = await together(() => refreshWith(service, before))
        expect(statusesOf(replies)).to.deep.equal([200, ...Array.from({ length: WIDTH - 1 }, () => 401)])
        await expectDead(service, [before, ...replies.map((reply) => keep(before, reply))])
      }
      const page = await service.store.audit.page({ event: 'refresh.reuse', limit: 100 })
      expect(page).to.have.length(ROUNDS)
    })

    it('a spent token after the window ends the login, is audited once, and ends no other', async () => {
      const service = await serve()
      const browser = await newcomer(service)
      const elsewhere = createBrowser(service, browser.email)
      await elsewhere.login()
      const spent = browser.held()
      await browser.refresh()
      service.clock.now += GRACE - 1
      expect((await refreshWith(service, spent)).status).to.equal(200)
      service.clock.now += 1
      const replies = await together(() => refreshWith(service, spent))
      for (const reply of replies) expectInvalidToken(reply)
      await expectDead(service, [spent, browser.held()])
      expect((await elsewhere.refresh()).status).to.equal(200)
      const page = await service.store.audit.page({ event: 'refresh.reuse', limit: 100 })
      expect(page).to.have.length(1)
      expect(page[0]).to.include({
        actor: 'anonymous',
        subject: `account:${browser.id}`,
        outcome: 'failure',
        address: '127.0.0.1',
      })
    })

    it('goes on where the passphrase is changed from one instance to the next, and a spent token gets the same bytes', async () => {
      const [old, next] = [PASSPHRASE, `${PASSPHRASE}, and the next ones`]
      const first = await serve({ passphrases: { current: old, previous: [next] } })
      const settings = { publicUrl: first.origin }
      const second = await serve({ passphrases: { current: next, previous: [old] }, settings })
      const browser = await newcomer(first)
      const held = browser.held()
      const refreshed = await refreshWith(first, held)
      expect((await refreshWith(second, held)).text).to.equal(refreshed.text)
      const later = keep(held, refreshed)
      const again = await refreshWith(second, later)
      expect(again.status).to.equal(200)
      expect((await refreshWith(first, later)).text).to.equal(again.text)
      const newest = keep(later, again)
      for (const service of [first, second])
        expect((await identityWith(service, newest)).status).to.equal(200)
      expectInvalidToken(await refreshWith(second, held))
      await expectDead(first, [held, later, newest])
    })

    const ends: Readonly<Record<string, (service: Service, held: Held, email: string) => Promise<unknown>>> =
      {
        logout: (service, held) => createBrowser(service, '', { held }).logout(),
        'a password change': (service, _, email) =>
          service.useCases.setPassword({ caller: OPERATOR, email, password: 'correct horse battery' }),
        'the end of all logins': (service, _, email) =>
          service.useCases.revokeSessions({ caller: OPERATOR, email }),
        disabling: async (service, _, email) => {
          await service.useCases.disableUser({ caller: OPERATOR, email })
          await service.useCases.enableUser({ caller: OPERATOR, email })
        },
      }
    for (const [what, end] of Object.entries(ends)) {
      it(`against ${what} leave nothing active, ${ROUNDS} times`, async () => {
        const service = await serve()
        const { email } = await newcomer(service)
        for (let round = 0; round < ROUNDS; round += 1) {
          const browser = createBrowser(service, email)
          await browser.login()
          const held = browser.held()
          const refreshes: Reply[] = []
          await together(async (index) => {
            if (index === round % WIDTH) await end(service, held, email)
            else if (index % 4 === 0) refreshes.push(await refreshWith(service, held))
          })
          await expectDead(service, [held, ...refreshes.map((reply) => keep(held, reply))])
        }
      })
    }

    it(`against the deletion of the account leave nothing active, ${ROUNDS} times`, async () => {
      const service = await serve()
      for (let round = 0; round < ROUNDS; round += 1) {
        const browser = await newcomer(service)
        const held = browser.held()
        const refreshes: Reply[] = []
        await together(async (index) => {
          if (index === round % WIDTH)
            await service.useCases.deleteUser({ caller: OPERATOR, email: browser.email })
          else if (index % 4 === 0) refreshes.push(await refreshWith(service, held))
        })
        await expectDead(service, [held, ...refreshes.map((reply) => keep(held, reply))])
      }
    })
  })
}

type Service = Awaited<ReturnType<typeof startService>>
