import { expect } from 'chai'
import { createMemoryStore } from '../../../src/adapters/memory/store.js'
import { systemRandomness } from '../../../src/adapters/system/index.js'
import { createQueueMail } from '../../../src/application/mail/queue-mail.js'
import { createTimeOrderedIds } from '../../../src/application/time-ordered-ids.js'
import type { Email } from '../../../src/domain/identity/email.js'
import type { MailQueue } from '../../../src/ports/mail-queue.js'
import { wordsOf } from '../../support/refusal-of.js'

const NOW = Date.UTC(2030, 0, 1)
const ADA = 'ada@example.com' as Email

describe('queue mail', () => {
  let told: number
  beforeEach(() => {
    told = 0
  })
  const queueInto = (mailQueue: MailQueue) =>
    createQueueMail({
      mailQueue,
      timeOrderedIds: createTimeOrderedIds({ randomness: systemRandomness }),
      clock: () => NOW,
      onQueued: () => (told += 1),
    })

  it('stores jobs with the known client, in the order of the calls, and reports each', async () => {
    const { mailQueue } = createMemoryStore()
    const queue = queueInto(mailQueue)
    await queue('reset-password', ADA, { address: '192.0.2.1', requestId: 'request 1' })
    await queue('password-changed', ADA)
    await queue('factor-changed', ADA, undefined, 'removed')
    const [first, second, third, ...others] = await mailQueue.waiting(undefined, NOW, 10)
    const { id, ...job } = first!
    expect(job).to.deep.include({
      kind: 'reset-password',
      email: ADA,
      askedAt: NOW,
      address: '192.0.2.1',
      requestId: 'request 1',
      attempts: 0,
    })
    expect(second)
      .to.include({ kind: 'password-changed' })
      .and.not.have.any.keys('address', 'requestId', 'about')
    expect(third).to.include({ kind: 'factor-changed', about: 'removed' })
    expect(second!.id > id).to.equal(true)
    expect([others, told]).to.deep.equal([[], 3])
  })

  it('is refused if too many mails wait, and notifies no worker', async () => {
    const { mailQueue } = createMemoryStore()
    const queue = queueInto({ ...mailQueue, enqueue: () => Promise.resolve('full') })
    expect(await wordsOf(queue('reset-password', ADA))).to.equal(
      'overloaded | Unavailable: Too many mails are waiting, try again later.',
    )
    expect(told).to.equal(0)
  })
})
