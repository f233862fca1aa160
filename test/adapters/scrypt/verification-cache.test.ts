import { expect } from 'chai'
import type { Password, PasswordHash } from '../../../src/domain/identity/password.js'
import { createScryptHasher, createVerificationCache } from '../../../src/adapters/scrypt/index.js'
import { countingKdf } from '../../support/counting-kdf.js'
import { COST, password, storedHash } from '../../support/stored-hash.js'

const RIGHT = password('correct horse')
const WRONG = password('wrong horse')
const HASH = storedHash(RIGHT, COST)
const ANOTHER = storedHash(WRONG, COST)
const MINUTE = 60_000
const EMAIL = 'ada@example.com'

function remembering(options: { size?: number; lifetime?: number } = {}) {
  const counted = countingKdf()
  const time = { now: 0 }
  const plain = createScryptHasher({ cost: COST, concurrency: 2 }, counted.kdf)
  const cache = createVerificationCache({ ...options, now: () => time.now })
  /** Verifies as HTTP Basic does: a cached match counts only for the same stored hash. */
  const verify = async (text: Password, hash: PasswordHash, scope = '', name = EMAIL) => {
    const verification = { password: text, name, scope }
    if (cache.matched(verification) === hash) return true
    const compute = async () => ((await plain.verify(text, hash)) ? { hash } : {})
    return 'hash' in (await cache.share<{ hash?: PasswordHash }>(verification, compute))
  }
  return { hasher: { ...plain, verify }, time, calls: counted.calls }
}

type Verification = readonly [password: Password, hash?: PasswordHash, scope?: string, name?: string]

/** Sequential verifications, and how many of them compute a hash. */
const SEQUENCES: Readonly<Record<string, readonly [readonly Verification[], computed: number]>> = {
  'verifies a correct password only once': [[[RIGHT], [RIGHT], [RIGHT]], 1],
  'never caches a failed verification': [[[WRONG], [WRONG], [WRONG]], 3],
  'verifies a wrong password even after a correct password': [[[RIGHT], [WRONG]], 2],
  'verifies a changed hash again, even for the same password': [
    [[RIGHT], [RIGHT, ANOTHER], [RIGHT, storedHash(RIGHT, { ...COST, p: 2 })]],
    3,
  ],
  'verifies a password again for another name': [
    [[RIGHT], [RIGHT, HASH, '', 'bob@example.com'], [RIGHT, HASH, '', `${EMAIL} `]],
    3,
  ],
}

/** Concurrent verifications, and how many of them compute a hash. */
const CONCURRENT: Readonly<Record<string, readonly [readonly Verification[], computed: number]>> = {
  'one computation, even if the queue is smaller': [Array(100).fill([RIGHT]), 1],
  'a failure': [Array(10).fill([WRONG]), 1],
  'nothing between different passwords': [[[RIGHT], [WRONG]], 2],
  'nothing between scopes': [
    [
      [RIGHT, HASH, '192.0.2.1'],
      [RIGHT, HASH, '192.0.2.2'],
    ],
    2,
  ],
}

describe('the verification cache', () => {
  for (const [title, [verifications, computed]] of Object.entries(SEQUENCES))
    it(title, async () => {
      const { hasher, calls } = remembering()
      for (const [text, hash = HASH, scope, name] of verifications)
        expect(await hasher.verify(text, hash, scope, name)).to.equal(text === RIGHT && hash !== ANOTHER)
      expect(calls).to.have.lengthOf(computed)
    })

  for (const [title, [verifications, computed]] of Object.entries(CONCURRENT))
    it(`lets concurrent requests share ${title}`, async () => {
      const { hasher, calls } = remembering()
      const answers = verifications.map(([text, hash = HASH, scope]) => hasher.verify(text, hash, scope))
      expect(await Promise.all(answers)).to.deep.equal(verifications.map(([text]) => text === RIGHT))
      expect(calls).to.have.lengthOf(computed)
    })

  it('shares successful verifications with later requests of other scopes, but does not share failures', async () => {
    const { hasher, calls } = remembering()
    for (const scope of ['192.0.2.1', '192.0.2.2']) await hasher.verify(RIGHT, HASH, scope)
    expect(calls).to.have.lengthOf(1)
    for (const scope of ['192.0.2.1', '192.0.2.2']) await hasher.verify(WRONG, HASH, scope)
    expect(calls).to.have.lengthOf(3)
  })

  it('drops a verification after 5 minutes, even if it was used in the meantime', async () => {
    const { hasher, time, calls } = remembering()
    const computed: number[] = []
    for (time.now of [0, MINUTE, 3 * MINUTE, 5 * MINUTE - 1, 5 * MINUTE, 10 * MINUTE - 1]) {
      await hasher.verify(RIGHT, HASH)
      computed.push(calls.length)
    }
    expect(computed).to.deep.equal([1, 1, 1, 1, 2, 2])
  })

  it('retains the most recently used verifications up to the cache size', async () => {
    const { hasher, calls } = remembering({ size: 2 })
    const hashes = ['a', 'b', 'c'].map((text) => ({ text: password(text), hash: storedHash(text, COST) }))
    for (const { text, hash } of hashes) expect(await hasher.verify(text, hash)).to.equal(true)
    for (const [at, computed] of [
      [1, 3],
      [2, 3],
      [0, 4],
    ] as const) {
      await hasher.verify(hashes[at]!.text, hashes[at]!.hash)
      expect(calls).to.have.lengthOf(computed)
    }
  })

  it('rethrows an error and verifies again the next time', async () => {
    const cache = createVerificationCache({ now: () => 0 })
    const verification = { password: RIGHT, name: EMAIL, scope: '' }
    const error = new Error('refused')
    const failing = cache.share(verification, () => Promise.reject(error))
    expect(await failing.catch((reason: unknown) => reason)).to.equal(error)
    const result = { hash: HASH }
    expect(await cache.share(verification, () => Promise.resolve(result))).to.equal(result)
    expect(cache.matched(verification)).to.equal(HASH)
  })
})
