import { expect } from 'chai'
import { createMemoryStore } from '../../../src/adapters/memory/store.js'
import { composeResets, type ComposedResets } from '../../support/mail/composed-resets.js'
import { OPERATOR } from '../../../src/domain/access/caller.js'
import type { MailJob } from '../../../src/domain/mail.js'
import type { Store } from '../../../src/ports/store.js'
import { aMailJob } from '../../../src/contracts/samples.js'
import { watching } from '../../support/watched-store.js'

const JUNK = 300
const ADDRESS = '192.0.2.7'

let emails = 0
const freshEmail = () => `guest-${(emails += 1)}@example.com`

describe('a flood of password resets for unknown emails', () => {
  let store: Store
  let resets: ComposedResets
  let real: string
  let calls: string[]
  const countOf = (call: string) => calls.filter((one) => one === call).length
  const ask = async (email: string, address = ADDRESS) => {
    await resets.useCases.requestPasswordReset({ email, presented: { client: { address } } })
  }
  const flood = async (count = JUNK) => {
    await Promise.all(Array.from({ length: count }, () => ask(freshEmail())))
  }
  const sift = (of = resets) => of.mails().siftMails()
  const waiting = async () => await store.mailQueue.waiting(undefined, resets.clock.now, 10 * JUNK)
  const records = () => resets.resetRecords()

  beforeEach(async () => {
    store = createMemoryStore()
    calls = []
    const watched = watching((call, run) => {
      calls.push(call)
      return run()
    })(store)
    resets = await composeResets({ store: watched })
    real = freshEmail()
    await resets.account(real)
  })

  it('delays a valid email behind the flood by only a few queue calls', async () => {
    await flood()
    await ask(real)
    calls = []
    expect(await resets.sendMails()).to.equal(1)
    expect(resets.postbox.arrived.map(({ to }) => to)).to.deep.equal([real])
    const writes = ['claim', 'discard', 'remove', 'postpone'].map((call) => countOf(`mailQueue.${call}`))
    expect(writes.reduce((sum, count) => sum + count, 0)).to.be.lessThan(10)
    expect(await waiting()).to.deep.equal([])
  })

  it('leaves one audit record with a count for each minute and network', async () => {
    await flood(300)
    await ask(freshEmail(), '198.51.100.1')
    await sift()
    expect(await records()).to.have.members(['reset.ask failure 300', 'reset.ask failure 1'])
  })

  it('neither changes nor moves other emails in the queue, even while no email can be sent', async () => {
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

  it('is removed from the queue page by page, without checking an email twice', async () => {
    const known = Array.from({ length: 450 }, freshEmail)
    for (const email of known) await store.accounts.insert({ email: email as MailJob['email'], createdAt: 0 })
    await Promise.all(known.map((email) => ask(email)))
    resets.clock.now += 20_000
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

  it('can contain password resets for disabled accounts, but no notices', async () => {
    await ask(real)
    await resets.useCases.disableUser({ caller: OPERATOR, email: real })
    const notice = aMailJob('0', { kind: 'password-changed', askedAt: resets.clock.now })
    await store.mailQueue.enqueue(notice, 10)
    await sift()
    expect(await waiting()).to.deep.equal([notice])
    expect(await records()).to.deep.equal(['reset.ask failure 1'])
  })

  it('is completely processed by the next run if a run has been stopped', async () => {
    await flood(450)
    resets.clock.now += 20_000
    let looks = 0
    await resets.mails().siftMails(() => (looks += 1) > 1)
    expect(await waiting()).to.have.length(250)
    await sift()
    expect(await waiting()).to.deep.equal([])
  })

  it('is not audited again if sending had already been attempted before the account was disabled', async () => {
    resets.postbox.answer(() => ({ kind: 'deferred', detail: 'mailbox full' }))
    await ask(real)
    expect(await resets.sendMails()).to.equal(0)
    await resets.useCases.disableUser({ caller: OPERATOR, email: real })
    resets.clock.now += 3_600_000
    expect(await waiting()).to.have.length(1)
    await sift()
    expect(await waiting()).to.deep.equal([])
    expect(await records()).to.deep.equal(['reset.ask success'])
  })
})
