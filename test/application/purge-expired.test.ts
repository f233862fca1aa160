import { expect } from 'chai'
import {
  createPurgeExpired,
  purgeStore,
  type PurgeExpiredParts,
} from '../../src/application/purge-expired.js'
import { OPERATOR } from '../../src/domain/access/caller.js'
import { authorizeByDefault as authorize } from '../support/permissions.js'
import { retrying, SLOW } from '../support/watched-store.js'
import { START } from '../support/use-cases.js'

const DAY = 86_400_000
type Answer = (port: string, limit: number) => number | Error

/**
 * Creates a purge of a store whose ports return these results; `calls` lists the calls that the purge makes. The
 * contract laws test how
 * each port purges.
 */
function purging(answer: Answer, change: Partial<PurgeExpiredParts> = {}) {
  const calls: (readonly [port: string, at: number, limit: number])[] = []
  const signals: unknown[] = []
  const purgeOf = (port: string) => async (at: number, limit: number, signal?: AbortSignal) => {
    calls.push([port, at, limit])
    signals.push(signal)
    const given = answer(port, limit)
    if (given instanceof Error) throw given
    return await Promise.resolve(given)
  }
  const ports = {
    sessions: { purge: purgeOf('sessions') },
    revocations: { purge: purgeOf('revocations') },
    attempts: { purge: purgeOf('attempts') },
    pets: { purgeIdempotencyKeys: purgeOf('pets') },
    auditLog: { purge: purgeOf('auditLog') },
  }
  const parts = { ...ports, auditRetention: DAY, clock: () => START, ...change } as never
  return { purgeExpired: createPurgeExpired(parts), calls, signals }
}

describe('a purge', () => {
  it('removes expired rows from every port in batches of 500, and counts the removed rows', async () => {
    const left: Record<string, number> = {
      sessions: 1_003,
      revocations: 500,
      attempts: 1,
      pets: 2,
      auditLog: 4,
    }
    const { purgeExpired, calls } = purging((port, limit) => {
      const removed = Math.min(left[port] ?? 0, limit)
      left[port] = (left[port] ?? 0) - removed
      return removed
    })
    expect(await purgeExpired()).to.equal(1_510)
    const ports = ['sessions', 'sessions', 'sessions', 'revocations', 'revocations', 'attempts', 'pets']
    expect(calls).to.deep.equal([...ports.map((port) => [port, START, 500]), ['auditLog', START - DAY, 500]])
  })

  it('skips ports that the store lacks, and an audit log that keeps records forever', async () => {
    const none = { revocations: undefined, pets: undefined }
    for (const change of [{ auditLog: undefined }, { auditRetention: undefined }]) {
      const { purgeExpired, calls } = purging(() => 1, { ...none, ...change })
      expect(await purgeExpired()).to.equal(2)
      expect(calls.map(([port]) => port)).to.deep.equal(['sessions', 'attempts'])
    }
  })
})

describe('a purge with a slow store', () => {
  for (const room of [1, 250])
    it(`removes everything in smaller batches if the store can remove ${room} rows in time`, async () => {
      let left = 600
      const { purgeExpired, calls } = purging((port, limit) => {
        if (port !== 'sessions') return 0
        if (limit > room) return SLOW
        const removed = Math.min(left, limit)
        left -= removed
        return removed
      })
      const purge = purgeStore.factory({ authorize, purgeExpired, retrying })
      expect([await purge({ caller: OPERATOR }), left]).to.deep.equal([600, 0])
      expect(calls.slice(0, 2).map(([, , limit]) => limit)).to.deep.equal([500, 250])
    })

  it('continues after a batch that timed out, because the timed-out batch may have removed some of the rows', async () => {
    const answers = [SLOW, 10, 250, 3]
    const { purgeExpired } = purging((port) => (port === 'sessions' && answers.shift()) || 0)
    expect(await purgeExpired(undefined, retrying)).to.equal(263)
    expect(answers).to.deep.equal([])
  })
})

describe('a stopped purge', () => {
  it('stops after the current batch, and passes the signal to the session store', async () => {
    const stopping = new AbortController()
    // Every batch leaves more rows, and the service begins to stop during the second batch.
    const { purgeExpired, calls, signals } = purging((_, limit) => {
      if (calls.length === 2) stopping.abort()
      return limit
    })
    expect(await purgeExpired(stopping.signal)).to.equal(1_000)
    expect(calls.map(([port]) => port)).to.deep.equal(['sessions', 'sessions'])
    expect(signals).to.deep.equal([stopping.signal, stopping.signal])
  })
})
