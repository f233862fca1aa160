import { expect } from 'chai'
import { createMemoryStore } from '../../../src/adapters/memory/store.js'
import { systemRandomness } from '../../../src/adapters/system/index.js'
import { createNotices, type NoticesParts } from '../../../src/application/mail/notices.js'
import { createTimeOrderedIds } from '../../../src/application/time-ordered-ids.js'
import type { Email } from '../../../src/domain/identity/email.js'
import type { MailQueue } from '../../../src/ports/mail-queue.js'
import { collectingLog } from '../../support/log-collector.js'

const NOW = Date.UTC(2030, 0, 1)
const email = 'ada@example.com' as Email

describe('notices', () => {
  const { mailQueue } = createMemoryStore()
  const open = (change: Partial<NoticesParts> = {}) =>
    createNotices({
      topics: ['new-client', 'factor'],
      mailQueue,
      timeOrderedIds: createTimeOrderedIds({ randomness: systemRandomness }),
      clock: () => NOW,
      ...change,
    })
  const queued = async () => {
    const jobs = await mailQueue.waiting(undefined, NOW, 10)
    await mailQueue.discard(
      jobs.map(({ id }) => id),
      NOW,
    )
    return jobs.map(({ id: _, ...job }) => job)
  }

  it('queues the wanted notices with their content', async () => {
    const notices = open({ topics: ['new-client', 'factor', 'password', 'refresh-reuse', 'own-password'] })
    const client = { address: '192.0.2.7', requestId: 'request' }
    await notices.send('new-client', { email, client, about: 'Firefox 130 on Linux' })
    await notices.send('factor', { email, about: 'removed' })
    await notices.send('password', { email })
    await notices.send('own-password', { email })
    await notices.send('refresh-reuse', { email })
    const job = { email, askedAt: NOW, attempts: 0 }
    expect(await queued()).to.deep.equal([
      { ...job, kind: 'new-client', ...client, about: 'Firefox 130 on Linux' },
      { ...job, kind: 'factor-changed', about: 'removed' },
      { ...job, kind: 'password-changed' },
      { ...job, kind: 'password-changed' },
      { ...job, kind: 'refresh-reused' },
    ])
  })

  it('looks for no unwanted notice, and sends nothing without content', async () => {
    let looked = 0
    const look = async () => void (looked += 1)
    for (const topic of ['password', 'own-password', 'refresh-reuse'] as const) await open().send(topic, look)
    await open({ mailQueue: undefined }).send('factor', look)
    expect(looked).to.equal(0)
    await open().send('new-client', look)
    expect(looked).to.equal(1)
    expect(await queued()).to.deep.equal([])
  })

  const FAILING: Readonly<Record<string, MailQueue['enqueue']>> = {
    'is full': async () => 'full',
    'cannot be reached': () => Promise.reject(new Error('away')),
  }
  for (const [what, enqueue] of Object.entries(FAILING))
    it(`never rejects, and logs it if the queue ${what}`, async () => {
      const { log, lines, text } = collectingLog()
      await open({ mailQueue: { ...mailQueue, enqueue }, log }).send('factor', { email, about: 'added' })
      await open({ mailQueue: { ...mailQueue, enqueue } }).send('factor', { email })
      expect(lines.map(({ level, event, fields }) => [level, event, fields.detail])).to.deep.equal([
        ['error', 'a notice was not queued', 'factor'],
      ])
      expect(text()).to.not.include(email)
    })

  it('never rejects if the content cannot be found', async () => {
    const { log, lines } = collectingLog()
    await open({ log }).send('new-client', () => Promise.reject(new Error('away')))
    expect(lines).to.have.lengthOf(1)
    expect(await queued()).to.deep.equal([])
  })
})
