import { expect } from 'chai'
import { createMemoryStore } from '../../../src/adapters/memory/index.js'
import { createPurgeExpired } from '../../../src/application/purge-expired.js'
import { START } from '../../support/use-cases.js'

const COUNTS = [{ name: 'somewhere', limit: { count: 1, window: 1_000 } }]

describe('a purge', () => {
  it('removes counts of attempts whose window has ended, and counts them', async () => {
    const store = createMemoryStore()
    await store.attempts.take(COUNTS, START)
    const purgeAt = async (at: number) => await createPurgeExpired({ ...store, clock: () => at })()
    expect([await purgeAt(START + 999), await purgeAt(START + 1_000)]).to.deep.equal([0, 1])
    expect(await purgeAt(START + 1_000)).to.equal(0)
  })

  it('works without optional ports', async () => {
    const { sessions, attempts } = createMemoryStore()
    await attempts.take(COUNTS, START - 1_000)
    const parts = { sessions, attempts, auditRetention: 1_000, clock: () => START }
    expect(await createPurgeExpired(parts)()).to.equal(1)
  })

  it('does not touch the audit log where its records are kept for ever', async () => {
    const { audit, ...store } = createMemoryStore()
    const auditLog = { ...audit, purge: () => Promise.reject(new Error('the audit log was asked')) }
    expect(await createPurgeExpired({ ...store, auditLog, clock: () => START })()).to.equal(0)
  })
})
