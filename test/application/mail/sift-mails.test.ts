import { expect } from 'chai'
import { OPERATOR } from '../../../src/domain/access/caller.js'
import type { MailJob } from '../../../src/domain/mail.js'
import type { Store } from '../../../src/ports/store.js'
import { aMailJob } from '../../../src/contracts/samples.js'
import { freshEmail } from '../../support/http/browser.js'
import { resettingsOfTests, type Resetting } from '../../support/http/resetting.js'
import { STORES, storesOfTests } from '../../support/stores.js'
import { watching } from '../../support/watched-store.js'

const JUNK = 2_000
const ADDRESS = '192.0.2.7'

for (const { name, open } of STORES) {
  describe(`a flood of resets for unknown emails, in the ${name} store`, () => {
    const serve = resettingsOfTests()
    const opened = storesOfTests()
    let store: Store
    let resets: Resetting
    let real: string
    let calls: string[]
    const countOf = (call: string) => calls.filter((one) => one === call).length
    const ask = async (email: string, address = ADDRESS) => {
      await resets.service.useCases.requestPasswordReset({ email, presented: { client: { address } } })
    }
    const flood = async (count = JUNK) => {
      await Promise.all(Array.from({ length: count }, () => ask(freshEmail())))
    }
    const sift = (of = resets) => of.service.mails().siftMails()
    const waiting = async () => await store.mailQueue.waiting(undefined, resets.service.clock.now, 10 * JUNK)
    const records = async () => (await resets.onRecord()).map(({ outcome, count }) => [outcome, count])

    beforeEach(async () => {
      store = (await opened(open)).store
      calls = []
      const watched = watching((call, run) => {
        calls.push(call)
        return run()
      })(store)
      resets = await serve({ store: watched })
      real = freshEmail()
      await resets.service.account(real)
    })

    it('is out of the way of the one mail behind it after a few calls of the queue', async () => {
      await flood()
      await ask(real)
      calls = []
      expect(await resets.sendMails()).to.equal(1)
      expect(resets.postbox.arrived.map(({ to }) => to)).to.deep.equal([real])
      const writes = ['claim', 'discard', 'remove', 'postpone'].map((call) => countOf(`mailQueue.${call}`))
      expect(writes.reduce((sum, count) => sum + count, 0)).to.be.lessThan(JUNK / 100)
      expect(await waiting()).to.deep.equal([])
    })

    it('is told by one record of the minute and the network, with how many there were', async () => {
      await flood(300)
      await ask(freshEmail(), '198.51.100.1')
      await sift()
      expect(await records()).to.have.deep.members([
        ['failure', 300],
        ['failure', 1],
      ])
    })

    it('is counted once, however many workers look through the queue', async () => {
      await flood(500)
      const second = await serve({ store })
      await Promise.all([sift(), sift(second), resets.sendMails(), second.sendMails()])
      expect(await records()).to.deep.equal([['failure', 500]])
      expect(await waiting()).to.deep.equal([])
    })

    it('leaves the mails of others where and as they are, also while none can leave', async () => {
      resets.postbox.answer(() => ({ kind: 'unreachable', detail: 'no route' }))
      await flood(250)
      await ask(real)
      await flood(250)
      expect(await resets.sendMails()).to.equal(0)
      await flood(250)
      const before = (await waiting()).filter(({ email }) => email === real)
      expect(before).to.have.length(1)
      await sift()
      expect(await waiting()).to.deep.equal(before)
      resets.postbox.answer(() => ({ kind: 'sent' }))
      expect(await resets.sendMails()).to.equal(1)
    })

    it('is taken out of the queue in pages, and what was judged is not judged again', async () => {
      const emails = Array.from({ length: 450 }, freshEmail)
      for (const email of emails)
        await store.accounts.insert({ email: email as MailJob['email'], createdAt: 0 })
      await Promise.all(emails.map((email) => ask(email)))
      resets.service.clock.now += 20_000
      calls = []
      await sift()
      expect([countOf('mailQueue.waiting'), countOf('accounts.findByEmail')]).to.deep.equal([3, 450])
      calls = []
      await sift()
      expect([countOf('mailQueue.waiting'), countOf('accounts.findByEmail')]).to.deep.equal([1, 0])
      await ask(freshEmail())
      await sift()
      expect(await waiting()).to.have.length(450)
      expect(countOf('mailQueue.discard')).to.equal(1)
    })

    it('is found also where it comes in under an earlier id than what was judged', async () => {
      const { clock } = resets.service
      await ask(real)
      await sift()
      await store.mailQueue.enqueue(aMailJob('0', { askedAt: clock.now - 5_000 }), 10)
      await sift()
      expect((await waiting()).map(({ email }) => email)).to.deep.equal([real])
    })

    it('holds resets of disabled accounts, and no notice', async () => {
      await ask(real)
      await resets.service.useCases.disableUser({ caller: OPERATOR, email: real })
      const notice = aMailJob('0', { kind: 'password-changed', askedAt: resets.service.clock.now })
      await store.mailQueue.enqueue(notice, 10)
      await sift()
      expect(await waiting()).to.deep.equal([notice])
      expect(await records()).to.deep.equal([['failure', 1]])
    })

    it('is judged to its end by the next look, where one was stopped in the middle', async () => {
      await flood(450)
      resets.service.clock.now += 20_000
      let looks = 0
      await resets.service.mails().siftMails(() => (looks += 1) > 1)
      expect(await waiting()).to.have.length(250)
      await sift()
      expect(await waiting()).to.deep.equal([])
    })

    it('is not told of again where a mail of it was tried before its account was disabled', async () => {
      resets.postbox.answer(() => ({ kind: 'deferred', detail: 'mailbox full' }))
      await ask(real)
      expect(await resets.sendMails()).to.equal(0)
      await resets.service.useCases.disableUser({ caller: OPERATOR, email: real })
      resets.service.clock.now += 3_600_000
      expect(await waiting()).to.have.length(1)
      await sift()
      expect(await waiting()).to.deep.equal([])
      expect(await records()).to.deep.equal([['success', undefined]])
    })

    it('is left alone where the service ends', async () => {
      await flood(10)
      await resets.service.mails().siftMails(() => true)
      expect(await waiting()).to.have.length(10)
    })
  })
}
