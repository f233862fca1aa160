import { expect } from 'chai'
import { useFakeTimers } from 'sinon'
import { createScryptHasher } from '../../../src/adapters/scrypt/index.js'
import {
  boundVerifications,
  createHashPool,
  type HashMetrics,
} from '../../../src/adapters/scrypt/hash-pool.js'
import { Refusal } from '../../../src/domain/refusal.js'
import { countingKdf } from '../../support/counting-kdf.js'
import { COST, password, storedHash } from '../../support/stored-hash.js'

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

const RIGHT = password('correct horse')

/** Resolves with the value of each promise, or with the code of its refusal. */
async function outcomes(all: readonly Promise<unknown>[]): Promise<unknown[]> {
  const settled = await Promise.allSettled(all)
  return settled.map((one) => {
    if (one.status === 'fulfilled') return one.value
    const reason: unknown = one.reason
    return reason instanceof Refusal ? reason.code : reason
  })
}

describe('the hash pool of the scrypt hasher', () => {
  for (const concurrency of [1, 3])
    it(`computes at most ${concurrency} hashes concurrently`, async () => {
      const counted = countingKdf()
      const hasher = createScryptHasher({ cost: COST, concurrency }, counted.kdf)
      const hash = storedHash(RIGHT, COST)
      await Promise.all(
        Array.from({ length: 30 }, (_, n) => (n % 2 === 0 ? hasher.hash(RIGHT) : hasher.verify(RIGHT, hash))),
      )
      expect(counted.calls).to.have.lengthOf(30)
      expect(counted.most()).to.equal(concurrency)
    })

  it('queues 64 requests and immediately rejects all others, without computing anything', async () => {
    const counted = countingKdf()
    const hasher = createScryptHasher({ cost: COST, concurrency: 2 }, counted.kdf)
    const hash = storedHash(RIGHT, COST)
    const results = await outcomes(Array.from({ length: 100 }, () => hasher.verify(RIGHT, hash)))
    expect(results.slice(0, 66)).to.deep.equal(Array(66).fill(true))
    expect(results.slice(66)).to.deep.equal(Array(34).fill('overloaded'))
    expect(counted.calls).to.have.lengthOf(66)
  })

  it('uses one queue for hashes, verifications, decoys and bcrypt, and reports all of them', async () => {
    const { metrics, times, waiting } = recording()
    const hasher = createScryptHasher({ cost: COST, concurrency: 1, queue: 2, metrics })
    const results = await outcomes([
      hasher.verify(password('U*U'), '$2a$05$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW' as never),
      hasher.verify(undefined, undefined),
      hasher.hash(RIGHT).then(() => 'hashed'),
      hasher.hash(RIGHT),
      hasher.verify(RIGHT, undefined),
    ])
    expect(results).to.deep.equal([true, false, 'hashed', 'overloaded', 'overloaded'])
    expect(times).to.have.length(3)
    for (const { took } of times) expect(took).to.be.greaterThan(0)
    expect([Math.max(...waiting), waiting.at(-1)]).to.deep.equal([2, 0])
  })

  it('counts each hash only once, even if the hash passes through two pools', async () => {
    const { metrics, times, waiting, refused } = recording()
    const hasher = createScryptHasher({ cost: COST, concurrency: 1, metrics })
    const verify = boundVerifications(hasher, { concurrency: 1, metrics })
    const results = await outcomes(
      Array.from({ length: 18 }, () => verify(RIGHT, () => Promise.resolve(undefined), RIGHT)),
    )
    expect(results.filter((one) => one === 'overloaded')).to.have.lengthOf(1)
    expect([times.length, refused(), Math.max(...waiting)]).to.deep.equal([17, 1, 0])
  })

  it('frees the slot when a task fails', async () => {
    const pool = createHashPool({ concurrency: 1, queue: 1 })
    for (let round = 0; round < 5; round += 1) {
      const throwing = () => {
        throw new Error('thrown')
      }
      const both = await Promise.allSettled([pool.run(() => Promise.reject(new Error())), pool.run(throwing)])
      expect(both.map((one) => one.status)).to.deep.equal(['rejected', 'rejected'])
    }
    expect(await pool.run(() => Promise.resolve('still works'))).to.equal('still works')
  })
})

describe('the metrics of the hash pool of the scrypt hasher', () => {
  it('report that the second request waited as long as the first request took', async () => {
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

  it('count rejected requests, but record no duration for rejected or failed computations', async () => {
    const { metrics, times, refused } = recording()
    const pool = createHashPool({ concurrency: 1, queue: 0, metrics })
    const failing = pool.run(() => Promise.reject(new Error('failed')))
    await Promise.allSettled([failing, pool.run(async () => 'never'), pool.run(async () => 'never')])
    expect([refused(), times.length]).to.deep.equal([2, 0])
  })
})
