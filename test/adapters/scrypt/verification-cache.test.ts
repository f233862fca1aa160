import { expect } from 'chai'
import type { Password, PasswordHash } from '../../../src/domain/identity/password.js'
import { createScryptHasher, createVerificationCache } from '../../../src/adapters/scrypt/index.js'
import { countingKdf } from '../../support/counting-kdf.js'
import { COST, password, storedHash } from '../../support/stored-hash.js'

const RIGHT = password('correct horse')
const WRONG = password('wrong horse')
const HASH = storedHash(RIGHT, COST)
const MINUTE = 60_000
const EMAIL = 'ada@example.com'

function remembering(options: { size?: number; lifetime?: number } = {}) {
  const counted = countingKdf()
  const time = { now: 0 }
  const plain = createScryptHasher({ cost: COST, concurrency: 2 }, counted.kdf)
  const cache = createVerificationCache({ ...options, now: () => time.now })
  /** As HTTP Basic does: the stored hash decides whether a match counts. */
  const verify = async (text: Password, hash: PasswordHash, scope = '', name = EMAIL) => {
    const verification = { password: text, name, scope }
    if (cache.matched(verification) === hash) return true
    const compute = async () => ((await plain.verify(text, hash)) ? { hash } : {})
    return 'hash' in (await cache.share<{ hash?: PasswordHash }>(verification, compute))
  }
  return { hasher: { ...plain, verify }, time, calls: counted.calls }
}

describe('the verification cache', () => {
  it('verifies a correct password only once', async () => {
    const { hasher, calls } = remembering()
    for (let round = 0; round < 10; round += 1) expect(await hasher.verify(RIGHT, HASH)).to.equal(true)
    expect(calls).to.have.lengthOf(1)
  })

  it('never caches a failed verification', async () => {
    const { hasher, calls } = remembering()
    for (let round = 0; round < 3; round += 1) expect(await hasher.verify(WRONG, HASH)).to.equal(false)
    expect(calls).to.have.lengthOf(3)
  })

  it('verifies a wrong password even after a correct password', async () => {
    const { hasher, calls } = remembering()
    await hasher.verify(RIGHT, HASH)
    expect(await hasher.verify(WRONG, HASH)).to.equal(false)
    expect(calls).to.have.lengthOf(2)
  })

  it('verifies a changed hash again, even for the same password', async () => {
    const { hasher, calls } = remembering()
    await hasher.verify(RIGHT, HASH)
    expect(await hasher.verify(RIGHT, await hasher.hash(WRONG))).to.equal(false)
    expect(await hasher.verify(RIGHT, await hasher.hash(RIGHT))).to.equal(true)
    expect(calls.filter((name) => name === 'matches')).to.have.lengthOf(3)
  })

  it('verifies a password again for another name', async () => {
    const { hasher, calls } = remembering()
    for (const name of [EMAIL, 'bob@example.com', `${EMAIL} `]) await hasher.verify(RIGHT, HASH, '', name)
    expect(calls).to.have.lengthOf(3)
  })

  it('drops a verification after 5 minutes, even if it was used in the meantime', async () => {
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

  it('retains the most recently used verifications up to the cache size', async () => {
    const { hasher, calls } = remembering({ size: 2 })
    const hashes = ['a', 'b', 'c'].map((text) => ({ text: password(text), hash: storedHash(text, COST) }))
    for (const { text, hash } of hashes) expect(await hasher.verify(text, hash)).to.equal(true)
    expect(calls).to.have.lengthOf(3)
    for (const { text, hash } of hashes.slice(1)) await hasher.verify(text, hash)
    expect(calls).to.have.lengthOf(3)
    for (const { text, hash } of hashes.slice(0, 1)) await hasher.verify(text, hash)
    expect(calls).to.have.lengthOf(4)
  })

  it('shares one computation among 100 concurrent requests, even if the queue is smaller', async () => {
    const { hasher, calls } = remembering()
    const answers = await Promise.all(Array.from({ length: 100 }, () => hasher.verify(RIGHT, HASH)))
    expect(answers).to.deep.equal(Array(100).fill(true))
    expect(calls).to.have.lengthOf(1)
  })

  it('shares a failure with concurrent requests only', async () => {
    const { hasher, calls } = remembering()
    const answers = await Promise.all(Array.from({ length: 10 }, () => hasher.verify(WRONG, HASH)))
    expect(answers).to.deep.equal(Array(10).fill(false))
    expect(calls).to.have.lengthOf(1)
    await hasher.verify(WRONG, HASH)
    expect(calls).to.have.lengthOf(2)
  })

  it('shares nothing between different pairs of password and hash', async () => {
    const { hasher, calls } = remembering()
    const answers = await Promise.all([hasher.verify(RIGHT, HASH), hasher.verify(WRONG, HASH)])
    expect(answers).to.deep.equal([true, false])
    expect(calls).to.have.lengthOf(2)
  })

  it('shares only successful verifications between scopes', async () => {
    const { hasher, calls } = remembering()
    const scopes = ['192.0.2.1', '192.0.2.2']
    await Promise.all(scopes.map((scope) => hasher.verify(RIGHT, HASH, scope)))
    expect(calls).to.have.lengthOf(2)
    await hasher.verify(RIGHT, HASH, '192.0.2.3')
    expect(calls).to.have.lengthOf(2)
  })

  it('rethrows an error and verifies again the next time', async () => {
    const cache = createVerificationCache({ now: () => 0 })
    const verification = { password: RIGHT, name: EMAIL, scope: '' }
    const first = await cache
      .share(verification, () => Promise.reject(new Error('refused')))
      .then(
        () => 'answered',
        (error: unknown) => error,
      )
    expect(first).to.be.instanceOf(Error).with.property('message', 'refused')
    const result = { hash: HASH }
    expect(await cache.share(verification, () => Promise.resolve(result))).to.equal(result)
    expect(cache.matched(verification)).to.equal(HASH)
  })
})
