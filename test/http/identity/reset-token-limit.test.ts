import { expect } from 'chai'
import { freshEmail, LOGIN } from '../../support/http/browser.js'
import { loggedOut } from '../../support/http/expected.js'
import {
  NEW_PASSWORD,
  RESET_PASSWORD,
  resettingsOfTests,
  type Resetting,
} from '../../support/http/resetting.js'
import { STORES, storesOfTests } from '../../support/stores.js'

const LIMIT = { count: 5, window: 900_000 }
const TOO_MANY = loggedOut(429, {
  message: 'Too many attempts, try again later.',
  field: '',
  type: 'TooMany',
})

for (const { name, open } of STORES) {
  describe(`LOGIN_LIMIT for consuming reset tokens on the ${name} store`, () => {
    const serve = resettingsOfTests()
    const opened = storesOfTests()
    let resets: Resetting
    let hashes = 0
    let looks = 0
    beforeEach(async () => {
      const { store } = await opened(open)
      const holdsResetToken = store.accounts.holdsResetToken.bind(store.accounts)
      Object.assign(store.accounts, {
        holdsResetToken: (...given: Parameters<typeof holdsResetToken>) => {
          looks += 1
          return holdsResetToken(...given)
        },
      })
      resets = await serve({
        store,
        loginLimit: LIMIT,
        settings: { trustProxy: 1 },
        aroundHasher: (hasher) => ({
          ...hasher,
          hash: (password) => {
            hashes += 1
            return hasher.hash(password)
          },
        }),
      })
      hashes = 0
      looks = 0
    })

    const consume = (email: string, resetToken: string, address: string) =>
      resets.service.client.call('POST', RESET_PASSWORD, {
        headers: { 'X-Forwarded-For': address },
        json: { email, resetToken, password: NEW_PASSWORD },
      })
    const logIn = (email: string, address: string) =>
      resets.service.client.call('POST', LOGIN, {
        headers: { 'X-Forwarded-For': address },
        json: { email, password: 'wrong' },
      })

    it('lets 5 of 40 wrong tokens for one account from one network reach the store', async () => {
      const email = freshEmail()
      await resets.service.account(email)
      const replies = await Promise.all(
        Array.from({ length: 40 }, (_, n) => consume(email, `wrong ${n}`, `2001:db8::${n}`)),
      )
      expect([looks, hashes - 1]).to.deep.equal([5, 0])
      const refused = replies.filter(({ status }) => status === 429)
      expect(refused).to.have.length(35)
      expect(refused[0]?.json).to.deep.equal(TOO_MANY)
      expect(refused[0]?.headers['retry-after']).to.equal('900')
    })

    it('lets 25 from one network through for whatever accounts', async () => {
      for (let n = 0; n < 25; n += 1)
        expect((await consume(freshEmail(), 'wrong', '192.0.2.1')).status).to.equal(400)
      expect((await consume(freshEmail(), 'wrong', '192.0.2.1')).status).to.equal(429)
      expect((await consume(freshEmail(), 'wrong', '192.0.2.2')).status).to.equal(400)
    })

    it('is the one of logins', async () => {
      const email = freshEmail()
      for (let n = 0; n < 3; n += 1) await logIn(email, '192.0.2.1')
      for (let n = 0; n < 2; n += 1) await consume(email, 'wrong', '192.0.2.1')
      expect((await consume(email, 'wrong', '192.0.2.1')).status).to.equal(429)
      expect((await logIn(email, '192.0.2.1')).status).to.equal(429)
    })

    it("lets the owner's link work from elsewhere, and counts no reset that succeeds", async () => {
      const email = freshEmail()
      await resets.service.account(email)
      const token = await resets.mailedToken(email)
      for (let n = 0; n < 8; n += 1) await consume(email, 'wrong', '192.0.2.1')
      expect((await consume(email, token, '198.51.100.1')).status).to.equal(200)
      for (let n = 0; n < 5; n += 1) expect((await logIn(email, '198.51.100.1')).status).to.equal(401)
      expect((await logIn(email, '198.51.100.1')).status).to.equal(429)
    })

    it('counts nothing that is refused for its form', async () => {
      const email = freshEmail()
      const json = { email, resetToken: 'wrong', password: 'short' }
      for (let n = 0; n < 8; n += 1)
        expect((await resets.service.client.call('POST', RESET_PASSWORD, { json })).status).to.equal(400)
      expect((await consume(email, 'wrong', '127.0.0.1')).status).to.equal(400)
    })
  })
}
