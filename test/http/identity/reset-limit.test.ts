import { expect } from 'chai'
import { createBrowser, freshEmail } from '../../support/http/browser.js'
import { comparable, LOGIN_FAILED, loggedOut } from '../../support/http/expected.js'
import { resettingsOfTests, type Resetting } from '../../support/http/resetting.js'
import { STORES, storesOfTests } from '../../support/stores.js'

const LIMIT = { count: 5, window: 900_000 }
const TOO_MANY = loggedOut(429, {
  message: 'Too many attempts, try again later.',
  field: '',
  type: 'TooMany',
})

for (const { name, open } of STORES) {
  describe(`LOGIN_LIMIT for resets on the ${name} store`, () => {
    const serve = resettingsOfTests()
    const opened = storesOfTests()
    let resets: Resetting
    beforeEach(async () => {
      const { store } = await opened(open)
      resets = await serve({ store, loginLimit: LIMIT, settings: { trustProxy: 1 } })
    })

    let addresses = 0
    /** From an unused address, where none is said. */
    const ask = (email: string, address = `192.0.2.${(addresses += 1)}`) =>
      resets.ask(email, { 'X-Forwarded-For': address })

    it('refuses no client for what strangers from other networks have requested', async () => {
      const email = freshEmail()
      await resets.service.account(email)
      for (let n = 0; n < 60; n += 1) expect((await ask(email)).status).to.equal(200)
    })

    it('counts what comes from one network, for whatever emails: five times the limit', async () => {
      const statuses = []
      for (let n = 0; n < 25; n += 1) statuses.push((await ask(freshEmail(), '198.51.100.7')).status)
      expect(new Set(statuses)).to.deep.equal(new Set([200]))
      const reply = await ask(freshEmail(), '198.51.100.7')
      expect(reply.json).to.deep.equal(TOO_MANY)
      expect(reply.headers['retry-after']).to.equal('900')
      expect((await ask(freshEmail(), '198.51.100.8')).status).to.equal(200)
    })

    it('lets 25 of 40 from one network through that come at once, also for one email', async () => {
      const email = freshEmail()
      const replies = await Promise.all(Array.from({ length: 40 }, () => ask(email, '2001:db8:1:2::7')))
      expect(replies.filter(({ status }) => status === 200)).to.have.length(25)
      expect((await ask(freshEmail(), '2001:db8:1:2::8')).status).to.equal(429)
      expect((await ask(freshEmail(), '2001:db8:1:3::7')).status).to.equal(200)
    })

    it('looks the same for an email that no account has', async () => {
      const [known, unknown] = [freshEmail(), freshEmail()]
      await resets.service.account(known)
      for (let n = 0; n < 26; n += 1) {
        const [one, other] = [await ask(unknown, '198.51.100.5'), await ask(known, '198.51.100.6')]
        expect(comparable(one)).to.deep.equal(comparable(other))
      }
      expect((await ask(unknown, '198.51.100.5')).status).to.equal(429)
    })

    it('lets asks through again when the time is over', async () => {
      for (let n = 0; n < 26; n += 1) await ask(freshEmail(), '198.51.100.4')
      resets.service.clock.now += LIMIT.window - 1
      expect((await ask(freshEmail(), '198.51.100.4')).status).to.equal(429)
      resets.service.clock.now += 1
      expect((await ask(freshEmail(), '198.51.100.4')).status).to.equal(200)
    })

    it('counts no ask that is refused for its form', async () => {
      const email = freshEmail()
      for (let n = 0; n < 30; n += 1) expect((await ask(`${email} @`, '198.51.100.9')).status).to.equal(400)
      expect((await ask(email, '198.51.100.9')).status).to.equal(200)
    })

    it('counts asks and logins apart', async () => {
      const email = freshEmail()
      await resets.service.account(email)
      for (let n = 0; n < 6; n += 1) await ask(email, '127.0.0.1')
      const browser = createBrowser(resets.service, email)
      for (let n = 0; n < 5; n += 1) expect((await browser.login('wrong')).json).to.deep.equal(LOGIN_FAILED)
      expect((await browser.login()).status).to.equal(429)
      const other = freshEmail()
      for (let n = 0; n < 5; n += 1) await createBrowser(resets.service, other).login('wrong')
      expect((await ask(other)).status).to.equal(200)
    })
  })
}
