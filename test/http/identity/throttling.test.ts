import { expect } from 'chai'
import type { TestService } from '../../support/http/service.js'
import { PASSWORD, startService } from '../../support/http/service.js'
import { createBrowser, freshEmail, LOGIN, newcomer } from '../../support/http/browser.js'
import { LOGIN_FAILED, loggedOut } from '../../support/http/expected.js'
import { STORES, type OpenedStore } from '../../support/stores.js'
import { servicesOfTests } from '../../support/http/services.js'

const LIMIT = { count: 5, window: 900_000 }
const TOO_MANY = loggedOut(429, {
  message: 'Too many attempts, try again later.',
  field: '',
  type: 'TooMany',
})

for (const { name, open } of STORES) {
  describe(`LOGIN_LIMIT on the ${name} store`, () => {
    let opened: OpenedStore
    let service: TestService
    let hashes = 0
    beforeEach(async () => {
      opened = await open()
      service = await startService({
        store: opened.store,
        loginLimit: LIMIT,
        settings: { trustProxy: 1 },
        aroundHasher: (hasher) => ({
          ...hasher,
          verify: (...given) => {
            hashes += 1
            return hasher.verify(...given)
          },
        }),
      })
      hashes = 0
    })
    afterEach(async () => {
      await service.close()
      await opened.remove()
    })

    const logIn = (email: string, password: string, address: string) =>
      service.client.call('POST', LOGIN, {
        headers: { 'X-Forwarded-For': address },
        json: { email, password },
      })

    it('lets 5 of 50 wrong passwords for one account from one network reach the hash', async () => {
      const email = freshEmail()
      await service.account(email)
      const guesses = Array.from({ length: 50 }, (_, n) => logIn(email, `wrong ${n}`, `2001:db8::${n}`))
      const replies = await Promise.all(guesses)
      expect(hashes).to.equal(5)
      const refused = replies.filter(({ status }) => status === 429)
      expect(refused).to.have.length(45)
      expect(refused[0]?.json).to.deep.equal(TOO_MANY)
      expect(refused[0]?.headers['retry-after']).to.equal('900')
      expect(replies.find(({ status }) => status === 401)?.json).to.deep.equal(LOGIN_FAILED)
    })

    it('lets the owner in from elsewhere, whatever a stranger has tried from one address', async () => {
      const email = freshEmail()
      await service.account(email)
      const statuses = []
      for (let n = 0; n < 12; n += 1) statuses.push((await logIn(email, 'wrong', '192.0.2.1')).status)
      expect(statuses).to.deep.equal([...Array<number>(5).fill(401), ...Array<number>(7).fill(429)])
      expect((await logIn(email, PASSWORD, '198.51.100.1')).status).to.equal(200)
    })

    it('lets 50 of 60 wrong passwords for one account through from however many networks', async () => {
      const email = freshEmail()
      await service.account(email)
      const guesses = Array.from({ length: 60 }, (_, n) => logIn(email, `wrong ${n}`, `192.0.2.${n}`))
      const statuses = (await Promise.all(guesses)).map(({ status }) => status)
      expect(hashes).to.equal(50)
      expect(statuses.filter((status) => status === 429)).to.have.length(10)
      expect((await logIn(email, PASSWORD, '198.51.100.1')).status).to.equal(429)
    })

    it('lets the right password in again when the time is over', async () => {
      const email = freshEmail()
      await service.account(email)
      for (let n = 0; n < 5; n += 1) await logIn(email, 'wrong', '192.0.2.1')
      service.clock.now += LIMIT.window - 1
      expect((await logIn(email, PASSWORD, '192.0.2.1')).status).to.equal(429)
      service.clock.now += 1
      expect((await logIn(email, PASSWORD, '192.0.2.1')).status).to.equal(200)
    })

    it('counts no login that succeeds', async () => {
      const email = freshEmail()
      await service.account(email)
      for (let n = 0; n < 12; n += 1) expect((await logIn(email, PASSWORD, '192.0.2.1')).status).to.equal(200)
    })

    it('makes no difference for an account that does not exist', async () => {
      const email = freshEmail()
      for (let n = 0; n < 5; n += 1) {
        expect((await logIn(email, 'wrong', '192.0.2.1')).json).to.deep.equal(LOGIN_FAILED)
      }
      expect((await logIn(email, 'wrong', '192.0.2.1')).json).to.deep.equal(TOO_MANY)
    })

    it('counts what comes from one network, IPv6 by its /64, for whatever accounts: 5 times as much', async () => {
      for (let n = 0; n < 25; n += 1) await logIn(freshEmail(), 'wrong', `2001:db8:1:2::${n + 1}`)
      expect((await logIn(freshEmail(), 'wrong', '2001:db8:1:2:ffff::1')).status).to.equal(429)
      expect((await logIn(freshEmail(), 'wrong', '2001:db8:1:3::1')).status).to.equal(401)
      expect((await logIn(freshEmail(), 'wrong', '192.0.2.1')).status).to.equal(401)
    })

    it('affects no existing login', async () => {
      const browser = await newcomer(service)
      for (let n = 0; n < 6; n += 1) await logIn(browser.email, 'wrong', '192.0.2.1')
      expect((await browser.getIdentity()).status).to.equal(200)
      expect((await browser.refresh()).status).to.equal(200)
      expect((await browser.logout()).status).to.equal(200)
    })

    it('believes one proxy only: what the client writes itself changes nothing', async () => {
      for (let n = 0; n < 25; n += 1) await logIn(freshEmail(), 'wrong', `203.0.113.${n}, 192.0.2.1`)
      expect((await logIn(freshEmail(), 'wrong', '203.0.113.77, 192.0.2.1')).status).to.equal(429)
    })

    it('keeps no email that was typed', async () => {
      const email = freshEmail()
      const taken: string[] = []
      const { attempts } = service.store
      const take = attempts.take.bind(attempts)
      Object.assign(attempts, {
        take: (...given: Parameters<typeof take>) => {
          taken.push(...given[0].map(({ name }) => name))
          return take(...given)
        },
      })
      await logIn(email, 'wrong', '192.0.2.1')
      expect(taken).to.have.length(3)
      expect(taken.join()).to.not.include(email.slice(0, 8))
    })
  })
}

describe('the address of a client', () => {
  const serve = servicesOfTests()

  it('is that of the socket where no proxy is trusted', async () => {
    const service = await serve({ loginLimit: { count: 1, window: 60_000 } })
    const email = freshEmail()
    const from = async (address: string) => {
      const headers = { 'X-Forwarded-For': address }
      const json = { email, password: 'wrong' }
      return (await service.client.call('POST', LOGIN, { headers, json })).status
    }
    expect([await from('192.0.2.1'), await from('192.0.2.2')]).to.deep.equal([401, 429])
  })

  it('is that of the socket where the proxy wrote none', async () => {
    const service = await serve({ loginLimit: { count: 1, window: 60_000 }, settings: { trustProxy: 2 } })
    const email = freshEmail()
    const browsers = [createBrowser(service, email), createBrowser(service, email)]
    const statuses = []
    for (const browser of browsers) statuses.push((await browser.login('wrong')).status)
    expect(statuses).to.deep.equal([401, 429])
  })
})
