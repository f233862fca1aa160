import { expect } from 'chai'
import { createMemoryStore } from '../../../src/adapters/memory/index.js'
import { createPurgeExpired } from '../../../src/application/purge-expired.js'
import { START } from '../../support/use-cases.js'

describe('a purge that is stopped', () => {
  it('passes its signal to the sessions, because a store may have to read many that stay', async () => {
    const { sessions, ...store } = createMemoryStore()
    const { signal } = new AbortController()
    const told: unknown[] = []
    const purge = async (at: number, limit: number, stopping?: AbortSignal) => {
      told.push(stopping)
      return await sessions.purge(at, limit, stopping)
    }
    await createPurgeExpired({ ...store, sessions: { ...sessions, purge }, clock: () => START })(signal)
    expect(told).to.deep.equal([signal])
  })

  it('ends with the batch under way, and begins no other of any port', async () => {
    const { sessions, ...store } = createMemoryStore()
    const stopping = new AbortController()
    const batches: number[] = []
    // There is always more, and with the second batch the service begins to stop.
    const purge = async (_: number, limit: number) => {
      batches.push(limit)
      if (batches.length === 2) stopping.abort()
      return await Promise.resolve(limit)
    }
    const forbidden = () => Promise.reject(new Error('no other batch may begin'))
    const purgeExpired = createPurgeExpired({
      ...store,
      sessions: { ...sessions, purge },
      revocations: { ...store.revocations, purge: forbidden },
      attempts: { ...store.attempts, purge: forbidden },
      clock: () => START,
    })
    expect(await purgeExpired(stopping.signal)).to.equal(1_000)
    expect(batches).to.deep.equal([500, 500])
  })
})
