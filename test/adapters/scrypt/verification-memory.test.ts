import { expect } from 'chai'
import type { PasswordHash } from '../../../src/domain/identity/password.js'
import { createScryptHasher, rememberVerifications } from '../../../src/adapters/scrypt/index.js'
import { countingKdf } from './counting-kdf.js'
import { COST, password, storedHash } from './stored-hash.js'

const RIGHT = password('correct horse')
const WRONG = password('wrong horse')
const HASH = storedHash(RIGHT, COST)
const MINUTE = 60_000

function remembering(options: { size?: number; lifetime?: number } = {}) {
  const counted = countingKdf()
  const time = { now: 0 }
  const plain = createScryptHasher({ cost: COST, concurrency: 2 }, counted.kdf)
  const hasher = rememberVerifications(plain, { ...options, now: () => time.now })
  return { hasher, time, calls: counted.calls }
}

describe('the memory of verifications', () => {
  it('computes a right password once', async () => {
    const { hasher, calls } = remembering()
    for (let round = 0; round < 10; round += 1) expect(await hasher.verify(RIGHT, HASH)).to.equal(true)
    expect(calls).to.have.lengthOf(1)
  })

  it('never remembers a failure', async () => {
    const { hasher, calls } = remembering()
    for (let round = 0; round < 3; round += 1) expect(await hasher.verify(WRONG, HASH)).to.equal(false)
    expect(calls).to.have.lengthOf(3)
  })

  it('computes a wrong password after a right one', async () => {
    const { hasher, calls } = remembering()
    await hasher.verify(RIGHT, HASH)
    expect(await hasher.verify(WRONG, HASH)).to.equal(false)
    expect(calls).to.have.lengthOf(2)
  })

  it('knows nothing of a changed hash, be it of the same password', async () => {
    const { hasher, calls } = remembering()
    await hasher.verify(RIGHT, HASH)
    expect(await hasher.verify(RIGHT, await hasher.hash(WRONG))).to.equal(false)
    expect(await hasher.verify(RIGHT, await hasher.hash(RIGHT))).to.equal(true)
    expect(calls.filter((name) => name === 'matches')).to.have.lengthOf(3)
  })

  it('forgets after 5 minutes, however often it was used', async () => {
    const { hasher, time, calls } = remembering()
    for (const now of [0, MINUTE, 3 * MINUTE, 5 * MINUTE - 1]) {
      time.now = now
      await hasher.verify(RIGHT, HASH)
    }
    expect(calls).to.have.lengthOf(1)
    time.now = 5 * MINUTE
    await hasher.verify(RIGHT, HASH)
    expect(calls).to.have.lengthOf(2)
    time.now = 10 * MINUTE - 1
    await hasher.verify(RIGHT, HASH)
    expect(calls).to.have.lengthOf(2)
  })

  it('keeps no more than its size, the latest used', async () => {
    const { hasher, calls } = remembering({ size: 2 })
    const hashes = ['a', 'b', 'c'].map((text) => ({ text: password(text), hash: storedHash(text, COST) }))
    for (const { text, hash } of hashes) expect(await hasher.verify(text, hash)).to.equal(true)
    expect(calls).to.have.lengthOf(3)
    for (const { text, hash } of hashes.slice(1)) await hasher.verify(text, hash)
    expect(calls).to.have.lengthOf(3)
    for (const { text, hash } of hashes.slice(0, 1)) await hasher.verify(text, hash)
    expect(calls).to.have.lengthOf(4)
  })

  it('shares one computation among 100 at the same time, which the queue would not hold', async () => {
    const { hasher, calls } = remembering()
    const answers = await Promise.all(Array.from({ length: 100 }, () => hasher.verify(RIGHT, HASH)))
    expect(answers).to.deep.equal(Array(100).fill(true))
    expect(calls).to.have.lengthOf(1)
  })

  it('shares a failure only with those who asked meanwhile', async () => {
    const { hasher, calls } = remembering()
    const answers = await Promise.all(Array.from({ length: 10 }, () => hasher.verify(WRONG, HASH)))
    expect(answers).to.deep.equal(Array(10).fill(false))
    expect(calls).to.have.lengthOf(1)
    await hasher.verify(WRONG, HASH)
    expect(calls).to.have.lengthOf(2)
  })

  it('shares nothing between different pairs', async () => {
    const { hasher, calls } = remembering()
    const answers = await Promise.all([hasher.verify(RIGHT, HASH), hasher.verify(WRONG, HASH)])
    expect(answers).to.deep.equal([true, false])
    expect(calls).to.have.lengthOf(2)
  })

  it('computes a decoy each time where something is missing', async () => {
    const { hasher, calls } = remembering()
    await Promise.all([hasher.verify(undefined, HASH), hasher.verify(undefined, HASH)])
    await hasher.verify(RIGHT, undefined)
    expect(calls).to.deep.equal(['derive', 'derive', 'derive'])
  })

  it('passes a refusal on and tries again the next time', async () => {
    let refusals = 0
    const plain = createScryptHasher({ cost: COST, concurrency: 1 })
    const hasher = rememberVerifications(
      {
        ...plain,
        verify: (text, hash) => {
          refusals += 1
          if (refusals === 1) throw new Error('refused')
          return plain.verify(text, hash)
        },
      },
      { now: () => 0 },
    )
    const first = await hasher.verify(RIGHT, HASH).then(
      () => 'answered',
      (error: unknown) => error,
    )
    expect(first).to.be.instanceOf(Error).with.property('message', 'refused')
    expect(await hasher.verify(RIGHT, HASH)).to.equal(true)
  })

  it('leaves the rest of the hasher as it was', async () => {
    const { hasher } = remembering()
    const hash = await hasher.hash(RIGHT)
    expect(hasher.recognise(hash)).to.deep.equal({ kind: 'hash', hash })
    expect(hasher.isOutdated(hash, RIGHT)).to.equal(false)
    expect(hasher.isOutdated('x' as PasswordHash, RIGHT)).to.equal(true)
  })
})
