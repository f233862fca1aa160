import { expect } from 'chai'
import { useFakeTimers } from 'sinon'
import { createScryptHasher } from '../../../../src/adapters/scrypt/index.js'
import { createHashPool, type HashMetrics } from '../../../../src/adapters/scrypt/hash-pool.js'
import { COST, password, storedHash } from '../../../support/stored-hash.js'

function recording() {
  const waiting: number[] = []
  const times: { readonly waited: number; readonly took: number }[] = []
  let refused = 0
  const metrics: HashMetrics = {
    hashesWaiting: (count) => waiting.push(count),
    hashComputed: (one) => times.push(one),
    hashRefused: () => (refused += 1),
  }
  return { metrics, waiting, times, refused: () => refused }
}

/** Work that the test ends. */
function heldWork() {
  const open: (() => void)[] = []
  return {
    work: () => new Promise<void>((resolve) => open.push(resolve)),
    begun: () => open.length,
    endNext: () => open.shift()?.(),
  }
}

const turn = () => new Promise((resolve) => setImmediate(resolve))

describe('the metrics of the pool of the scrypt hasher', () => {
  it('report the length of the queue, and 0 at the end', async () => {
    const { metrics, waiting, times } = recording()
    const pool = createHashPool({ concurrency: 1, queue: 3, metrics })
    const held = heldWork()
    const all = Array.from({ length: 4 }, () => pool.run(held.work))
    await turn()
    expect(Math.max(...waiting)).to.equal(3)
    for (let left = 3; left >= 0; left -= 1) {
      expect(waiting.at(-1)).to.equal(left)
      held.endNext()
      await turn()
    }
    await Promise.all(all)
    expect(waiting.at(-1)).to.equal(0)
    expect(times).to.have.length(4)
  })

  it('report that the second request waited as long as the first took', async () => {
    const { metrics, times } = recording()
    const pool = createHashPool({ concurrency: 1, queue: 1, metrics })
    const clock = useFakeTimers({ toFake: ['performance', 'setTimeout'] })
    try {
      const work = () => new Promise((resolve) => setTimeout(resolve, 30))
      const both = Promise.all([pool.run(work), pool.run(work)])
      await clock.tickAsync(60)
      await both
    } finally {
      clock.restore()
    }
    expect(times).to.deep.equal([
      { waited: 0, took: 30 },
      { waited: 30, took: 30 },
    ])
  })

  it('count rejected requests, without a time', async () => {
    const { metrics, times, refused } = recording()
    const pool = createHashPool({ concurrency: 1, queue: 0, metrics })
    const outcomes = [
      pool.run(async () => 'done'),
      pool.run(async () => 'never'),
      pool.run(async () => 'never'),
    ]
    await Promise.allSettled(outcomes)
    expect([refused(), times.length]).to.deep.equal([2, 1])
  })

  it('report no time of a failed computation', async () => {
    const { metrics, times } = recording()
    const pool = createHashPool({ concurrency: 1, queue: 0, metrics })
    await pool.run(() => Promise.reject(new Error('failed'))).catch(() => undefined)
    expect(times).to.deep.equal([])
  })

  it('include hashes, verifications and decoys of the hasher', async () => {
    const { metrics, times, waiting } = recording()
    const hasher = createScryptHasher({ cost: COST, concurrency: 1, metrics })
    const word = password('correct horse')
    await Promise.all([
      hasher.hash(word),
      hasher.verify(word, storedHash(word, COST)),
      hasher.verify(word, undefined),
    ])
    expect(times).to.have.length(3)
    for (const { took } of times) expect(took).to.be.greaterThan(0)
    expect(waiting.at(-1)).to.equal(0)
  })
})
