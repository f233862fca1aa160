import { expect } from 'chai'
import { Refusal } from '../../../src/domain/refusal.js'
import { createScryptHasher } from '../../../src/adapters/scrypt/index.js'
import { createHashPool } from '../../../src/adapters/scrypt/hash-pool.js'
import { countingKdf } from '../../support/counting-kdf.js'
import { COST, password, storedHash } from '../../support/stored-hash.js'

const RIGHT = password('correct horse')

/** The value of each promise, or the code of its refusal. */
async function outcomes(all: readonly Promise<unknown>[]): Promise<unknown[]> {
  const settled = await Promise.allSettled(all)
  return settled.map((one) => {
    if (one.status === 'fulfilled') return one.value
    const reason: unknown = one.reason
    return reason instanceof Refusal ? reason.code : reason
  })
}

describe('the pool of the scrypt hasher', () => {
  for (const concurrency of [1, 2, 3]) {
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
  }

  it('queues 64 requests and rejects all others immediately, without work', async () => {
    const counted = countingKdf()
    const hasher = createScryptHasher({ cost: COST, concurrency: 2 }, counted.kdf)
    const hash = storedHash(RIGHT, COST)
    const results = await outcomes(Array.from({ length: 100 }, () => hasher.verify(RIGHT, hash)))
    expect(results.slice(0, 66)).to.deep.equal(Array(66).fill(true))
    expect(results.slice(66)).to.deep.equal(Array(34).fill('overloaded'))
    expect(counted.calls).to.have.lengthOf(66)
  })

  it('counts hashes, verifications, decoys and bcrypt in one queue', async () => {
    const hasher = createScryptHasher({ cost: COST, concurrency: 1, queue: 2 })
    const results = await outcomes([
      hasher.verify(password('U*U'), '$2a$05$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW' as never),
      hasher.verify(undefined, undefined),
      hasher.hash(RIGHT).then(() => 'hashed'),
      hasher.hash(RIGHT),
      hasher.verify(RIGHT, undefined),
    ])
    expect(results).to.deep.equal([true, false, 'hashed', 'overloaded', 'overloaded'])
  })

  it('rejects with a message for the caller, without internal details', async () => {
    const pool = createHashPool({ concurrency: 1, queue: 0 })
    const first = pool.run(() => Promise.resolve('done'))
    const refusal = await pool
      .run(() => Promise.resolve('done'))
      .then(
        () => undefined,
        (error: unknown) => error,
      )
    expect(refusal).to.be.instanceOf(Refusal)
    expect(refusal).to.deep.include({
      code: 'overloaded',
      messages: [{ field: '', type: 'TooMany', message: 'Too many requests at once, try again shortly.' }],
    })
    expect(await first).to.equal('done')
  })

  it('frees the place of failed work', async () => {
    const pool = createHashPool({ concurrency: 1, queue: 1 })
    for (let round = 0; round < 5; round += 1) {
      const failing = pool.run(() => Promise.reject(new Error('failed')))
      const throwing = pool.run(() => {
        throw new Error('thrown')
      })
      const both = await Promise.allSettled([failing, throwing])
      expect(both.map((one) => one.status)).to.deep.equal(['rejected', 'rejected'])
    }
    expect(await pool.run(() => Promise.resolve('still works'))).to.equal('still works')
  })
})
