import { expect } from 'chai'
import { tokenIn } from '../../support/mail/postbox.js'
import { freshEmail } from '../../support/http/browser.js'
import { comparable, loggedOut } from '../../support/http/expected.js'
import { resettingsOfTests, type Resetting } from '../../support/http/resetting.js'
import { STORES, storesOfTests } from '../../support/stores.js'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const LIMITS = { 'no LOGIN_LIMIT': undefined, 'a LOGIN_LIMIT of 1': { count: 1, window: HOUR } } as const

for (const { name, open } of STORES) {
  for (const [configured, loginLimit] of Object.entries(LIMITS)) {
    describe(`mails of resets with ${configured}, on the ${name} store`, () => {
      const serve = resettingsOfTests()
      const opened = storesOfTests()
      let resets: Resetting
      let email: string
      beforeEach(async () => {
        const { store } = await opened(open)
        resets = await serve({ store, settings: { trustProxy: 1 }, ...(loginLimit && { loginLimit }) })
        email = freshEmail()
        await resets.service.account(email)
      })

      let addresses = 0
      /** From an unused network. */
      const ask = (of = email) => {
        addresses += 1
        return resets.ask(of, { 'X-Forwarded-For': `10.9.${addresses >> 8}.${addresses & 255}` })
      }
      const later = (time: number) => {
        resets.service.clock.now += time
      }
      const arrived = () => resets.postbox.arrived.length

      it('are one for 200 asks at once, which all look the same', async () => {
        const replies = await Promise.all(Array.from({ length: 200 }, () => ask()))
        const shown = replies.map(comparable)
        for (const one of shown) expect(one).to.deep.equal(shown[0])
        expect(replies[0]?.json).to.deep.equal(loggedOut(200))
        expect(await resets.sendMails()).to.equal(1)
        expect((await resets.onRecord()).map(({ event }) => event)).to.deep.equal(['reset.ask'])
      })

      it('are one for asks on two instances at once', async () => {
        const second = await serve({ store: resets.service.store, postbox: resets.postbox })
        await Promise.all(Array.from({ length: 16 }, (_, n) => (n % 2 ? second.ask(email) : ask())))
        expect((await resets.sendMails()) + (await second.sendMails())).to.equal(1)
      })

      it('are one a minute and five an hour', async () => {
        const sentAt: number[] = []
        const start = resets.service.clock.now
        for (let second = 0; second <= 3_700; second += 20) {
          resets.service.clock.now = start + second * 1000
          expect((await ask()).status).to.equal(200)
          if ((await resets.sendMails()) === 1) sentAt.push(second)
        }
        expect(sentAt).to.deep.equal([0, 60, 120, 180, 240, 3_600, 3_660])
        expect(arrived()).to.equal(7)
      })

      it('look the same for an email that no account has, and for how it is written', async () => {
        const unknown = freshEmail()
        for (let n = 0; n < 8; n += 1)
          expect(comparable(await ask(unknown))).to.deep.equal(
            comparable(await ask(` ${email.toUpperCase()}`)),
          )
        expect(await resets.sendMails()).to.equal(1)
      })

      it('are counted for each email apart', async () => {
        const other = freshEmail()
        await resets.service.account(other)
        for (const of of [email, other, email, other]) await ask(of)
        expect(await resets.sendMails()).to.equal(2)
      })

      it('leave the link of the owner good whatever a stranger asks for in its time', async () => {
        await ask()
        await resets.sendMails()
        const token = tokenIn(resets.postbox.arrived[0])
        for (let n = 0; n < 40; n += 1) expect((await ask()).status).to.equal(200)
        for (const mails of [2, 3]) {
          later(MINUTE)
          for (let n = 0; n < 40; n += 1) await ask()
          await resets.sendMails()
          expect(arrived()).to.equal(mails)
        }
        expect((await resets.consume(email, token)).status).to.equal(200)
      })

      it('leave the owner a link that works however a stranger asks', async () => {
        for (let minutes = 0; minutes < 29; minutes += 1) {
          await ask()
          await resets.sendMails()
          later(MINUTE)
        }
        expect((await ask()).status).to.equal(200)
        expect(arrived()).to.equal(5)
        const newest = tokenIn(resets.postbox.arrived.at(-1))
        expect((await resets.consume(email, newest)).status).to.equal(200)
      })
    })
  }
}

describe('an ask that finds no room in the queue', () => {
  const serve = resettingsOfTests()

  it('is not counted, so that the next one is heard', async () => {
    let full = true
    const resets = await serve({
      aroundStore: (store) => ({
        ...store,
        mailQueue: {
          ...store.mailQueue,
          enqueue: async (...job) => (full ? 'full' : await store.mailQueue.enqueue(...job)),
        },
      }),
    })
    const email = freshEmail()
    await resets.service.account(email)
    expect((await resets.ask(email)).status).to.equal(503)
    full = false
    expect((await resets.ask(email)).status).to.equal(200)
    expect(await resets.sendMails()).to.equal(1)
  })
})
