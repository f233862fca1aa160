import { expect } from 'chai'
import { createMemoryStore } from '../../../src/adapters/memory/store.js'
import { systemRandomness } from '../../../src/adapters/system/index.js'
import {
  createNotices,
  createQueueMail,
  type NoticesParts,
} from '../../../src/application/mail/queue-mail.js'
import type { Email } from '../../../src/domain/identity/email.js'
import { createTimeOrderedIds } from '../../../src/domain/instant.js'
import type { MailQueue } from '../../../src/ports/mail.js'
import { collectingLog } from '../../support/log-collector.js'
import { wordsOf } from '../../support/refusal-of.js'

const NOW = Date.UTC(2030, 0, 1)
const email = 'ada@example.com' as Email
const job = { email, askedAt: NOW, attempts: 0 }
const CLIENT = { address: '192.0.2.7', requestId: 'request' }

describe('the mail queue', () => {
  let mailQueue: MailQueue
  beforeEach(() => {
    mailQueue = createMemoryStore().mailQueue
  })
  const partsOf = () => ({
    mailQueue,
    timeOrderedIds: createTimeOrderedIds({ randomness: systemRandomness }),
    clock: () => NOW,
  })
  const queued = async () => {
    const jobs = await mailQueue.waiting(undefined, NOW, 10)
    return jobs.map(({ id: _, ...job }) => job)
  }

  it('notifies a worker of a job, and refuses a job if too many emails are waiting', async () => {
    let told = 0
    const queueInto = (queue: MailQueue) =>
      createQueueMail({ ...partsOf(), mailQueue: queue, onQueued: () => (told += 1) })
    await queueInto(mailQueue)('reset-password', email)
    expect(told).to.equal(1)
    const full = queueInto({ ...mailQueue, enqueue: () => Promise.resolve('full') })
    expect(await wordsOf(full('reset-password', email))).to.equal(
      'overloaded | Unavailable: Too many emails are waiting, try again later.',
    )
    expect(told).to.equal(1)
  })

  describe('for notices', () => {
    const open = (change: Partial<NoticesParts> = {}) =>
      createNotices({ topics: ['new-client', 'factor'], ...partsOf(), ...change })

    it('queues enabled notices with their content', async () => {
      const notices = open({ topics: ['new-client', 'factor', 'password', 'refresh-reuse', 'own-password'] })
      await notices.send('new-client', { email, client: CLIENT, about: 'Firefox 130 on Linux' })
      await notices.send('factor', { email, about: 'removed' })
      for (const topic of ['password', 'own-password', 'refresh-reuse'] as const)
        await notices.send(topic, { email })
      expect(await queued()).to.deep.equal([
        { ...job, kind: 'new-client', ...CLIENT, about: 'Firefox 130 on Linux' },
        { ...job, kind: 'factor-changed', about: 'removed' },
        { ...job, kind: 'password-changed' },
        { ...job, kind: 'password-changed' },
        { ...job, kind: 'refresh-reused' },
      ])
    })

    it('does not load the content of a disabled notice, and sends no notice that has no content', async () => {
      let looked = 0
      const look = async () => void (looked += 1)
      for (const topic of ['password', 'own-password', 'refresh-reuse'] as const)
        await open().send(topic, look)
      await open({ mailQueue: undefined }).send('factor', look)
      expect(looked).to.equal(0)
      const { log, lines } = collectingLog()
      await open({ log }).send('new-client', look)
      expect([looked, lines]).to.deep.equal([1, []])
      expect(await queued()).to.deep.equal([])
    })

    const FAILING: Readonly<Record<string, MailQueue['enqueue']>> = {
      'is full': async () => 'full',
      'cannot be reached': () => Promise.reject(new Error('away')),
    }
    for (const [what, enqueue] of Object.entries(FAILING))
      it(`never rejects, and logs an error if the queue ${what}`, async () => {
        const { log, lines, text } = collectingLog()
        await open({ mailQueue: { ...mailQueue, enqueue }, log }).send('factor', { email, about: 'added' })
        expect(lines.map(({ level, event, fields }) => [level, event, fields.detail])).to.deep.equal([
          ['error', 'a notice was not queued', 'factor'],
        ])
        expect(text()).to.not.include(email)
      })

    it('never rejects, even if the content cannot be found', async () => {
      const { log, lines } = collectingLog()
      await open({ log }).send('new-client', () => Promise.reject(new Error('away')))
      expect(lines).to.have.lengthOf(1)
      await open().send('new-client', () => Promise.reject(new Error('away')))
      expect(await queued()).to.deep.equal([])
    })
  })
})
