import { hashSync } from 'bcryptjs'
import { expect } from 'chai'
import type { PasswordHash } from '../../../src/domain/identity/password.js'
import { createScryptHasher } from '../../../src/adapters/scrypt/index.js'
import type { HashCost } from '../../../src/ports/passwords.js'
import { countingKdf } from '../../support/counting-kdf.js'
import { COST, damaged, password, pretendedHash, storedHash } from '../../support/stored-hash.js'

const hasher = createScryptHasher({ cost: COST, concurrency: 2 })
const RIGHT = password('correct horse')
const BCRYPT = '$2b$05$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW' as PasswordHash

const UNKNOWN = { kind: 'unknown' }

// Each is `logN-r-p`. RFC 7914 requires N < 2^(128 · r / 8), so 16-1-1 is invalid.
const BOUNDS = '31-8-1 21-8-1 9-8-1 0-8-1 255-8-1 10-33-1 10-0-1 10-1-17 10-1-0 20-16-1 16-1-1'.split(' ')
const OUT_OF_BOUNDS = [...BOUNDS, '10-4294967295-4294967295'].map((bounds) => {
  const [logN = 0, r = 0, p = 0] = bounds.split('-').map(Number)
  return { logN, r, p }
})

const CORRUPT = [
  ...['', 'x', 'scrypt', '$2b$', '$2b$31$', 'A'.repeat(128), 'A'.repeat(127), '\u0000', '😀'.repeat(64)],
]

// The contract tests of password hashers show that a hash matches only its password, and that verification never throws.
describe('the scrypt hasher when it hashes', () => {
  it('writes the configured parameters into the hash', async () => {
    const hashing = createScryptHasher({ cost: { logN: 11, r: 2, p: 3 }, concurrency: 1 })
    const bytes = Buffer.from(await hashing.hash(RIGHT), 'base64')
    expect([bytes.readUInt8(7), bytes.readUInt32BE(8), bytes.readUInt32BE(12)]).to.deep.equal([11, 2, 3])
  })

  it('rejects a password that contains U+0000, because scrypt ignores trailing U+0000', async () => {
    const hash = await hasher.hash(RIGHT)
    expect(await hasher.verify(password(`${RIGHT}\u0000`), hash)).to.equal(false)
    const outcome: unknown = await hasher.hash(password('a\u0000')).catch((error: unknown) => error)
    expect(outcome).to.be.instanceOf(RangeError)
  })
})

describe('the scrypt hasher when it verifies hashes from other programs', () => {
  for (const sent of ['ﬁne', '１２３４', 'Zoe\u0308'])
    it(`accepts the unnormalized text "${sent}" for a bcrypt hash of this text or of its normalized form`, async () => {
      const normal = password(sent.normalize('NFKC'))
      const ofSent = hashSync(sent, 4) as PasswordHash
      expect(await hasher.verify(normal, ofSent, sent)).to.equal(true)
      expect(await hasher.verify(normal, ofSent, normal)).to.equal(false)
      expect(await hasher.verify(normal, ofSent)).to.equal(false)
      expect(await hasher.verify(normal, hashSync(normal, 4) as PasswordHash, sent)).to.equal(true)
    })

  it('does not block the event loop when it verifies a bcrypt hash', async () => {
    let turns = 0
    const turning = setInterval(() => (turns += 1), 1)
    await hasher.verify(password('x'), BCRYPT.replace('05', '10') as PasswordHash)
    clearInterval(turning)
    expect(turns).to.be.greaterThan(5)
  })
})

describe('the scrypt hasher with any input', () => {
  async function cost(text: string | undefined, hash: string | undefined, current = COST, sent = text) {
    const counted = countingKdf()
    const counting = createScryptHasher({ cost: current, concurrency: 1 }, counted.kdf)
    const answer = await counting.verify(
      text === undefined ? undefined : password(text),
      hash as PasswordHash | undefined,
      sent,
    )
    return { answer, calls: counted.calls, costs: counted.costs }
  }
  const decoy = { answer: false, calls: ['derive'], costs: [COST] }
  const matching = (answer: boolean) => ({ answer, calls: ['matches'], costs: [] as HashCost[] })
  const HASH = storedHash(RIGHT, COST)

  it('computes one decoy at the current cost if the password or a valid hash is missing', async () => {
    for (const [text, hash] of [
      ...[undefined, BCRYPT, HASH].map((one) => [undefined, one] as const),
      ...[[RIGHT, undefined] as const, [`${RIGHT}\u0000`, HASH] as const],
      ...[...CORRUPT, ...OUT_OF_BOUNDS.map((one) => pretendedHash(one))].map((one) => [RIGHT, one] as const),
    ])
      expect(await cost(text, hash), hash).to.deep.equal(decoy)
  })

  it('computes one hash, whether the password is right or wrong', async () => {
    expect(await cost(RIGHT, HASH)).to.deep.equal(matching(true))
    expect(await cost('wrong', HASH)).to.deep.equal(matching(false))
    expect(await cost('U*U', BCRYPT)).to.deep.equal({ answer: true, calls: ['matchesImported'], costs: [] })
  })

  it('also computes a decoy if the password does not match a cheaper hash or a bcrypt hash', async () => {
    const current = { logN: 12, r: 2, p: 1 }
    for (const cheaper of [{ logN: 11 }, { r: 1 }, { logN: 10, r: 1, p: 7 }]) {
      const hash = storedHash(RIGHT, { ...current, ...cheaper })
      const calls = ['matches', 'derive']
      expect(await cost('wrong', hash, current)).to.deep.equal({ answer: false, calls, costs: [current] })
      expect(await cost(RIGHT, hash, current)).to.deep.equal(matching(true))
    }
    const calls = ['matchesImported', 'derive']
    expect(await cost('wrong', BCRYPT)).to.deep.equal({ answer: false, calls, costs: [COST] })
  })

  it('computes a second bcrypt hash for the unnormalized text before the decoy, but no second scrypt hash', async () => {
    const calls = ['matchesImported', 'matchesImported', 'derive']
    expect(await cost('...', BCRYPT, COST, '…')).to.deep.equal({ answer: false, calls, costs: [COST] })
    expect(await cost('...', HASH, COST, '…')).to.deep.equal(matching(false))
  })

  it('computes no decoy after it has computed a more expensive hash', async () => {
    for (const dearer of [{ logN: 12 }, { r: 4 }, { logN: 11, r: 2 }, { p: 4 }])
      expect(await cost('wrong', storedHash(RIGHT, { ...COST, ...dearer }))).to.deep.equal(matching(false))
  })

  it('needs no second slot in the pool for the decoy', async () => {
    const counted = countingKdf()
    const counting = createScryptHasher({ cost: COST, concurrency: 1, queue: 0 }, counted.kdf)
    const outcomes = await Promise.allSettled([1, 2].map(() => counting.verify(password('wrong'), BCRYPT)))
    expect(outcomes.map(({ status }) => status)).to.deep.equal(['fulfilled', 'rejected'])
    expect(counted.calls).to.deep.equal(['matchesImported', 'derive'])
    expect(counted.most()).to.equal(1)
  })

  it('allocates no memory for a hash that claims to need 256 GiB', async () => {
    const before = process.memoryUsage().rss
    for (let round = 0; round < 20; round += 1)
      expect(await hasher.verify(RIGHT, pretendedHash({ logN: 31, r: 1, p: 1 }))).to.equal(false)
    expect(process.memoryUsage().rss - before).to.be.lessThan(64 * 1024 * 1024)
  })

  it('rejects a hash with a corrupt byte after computing only one hash', async () => {
    for (let place = 0; place < 96; place += 1) {
      const { answer, calls } = await cost(RIGHT, damaged(HASH, place))
      expect([answer, calls.length], `at ${place}`).to.deep.equal([false, 1])
    }
  })
})

describe('the scrypt hasher when it recognizes hashes', () => {
  it('does not recognize a string that could not be verified later', () => {
    const hash = storedHash(RIGHT, COST)
    const others = [
      ...[...CORRUPT, pretendedHash(COST, 'Scrypt'), pretendedHash(COST, 'scrypt\u0001')],
      ...[0, 5, 6, 7, 12, 16, 47, 48, 63].map((place) => damaged(hash, place)),
      ...[` ${hash}`, `${hash}\n`, `${hash}=`, `${hash.slice(0, -1)}-`, `${BCRYPT} `],
    ]
    for (const text of others) expect(hasher.recognise(text), text).to.deep.equal(UNKNOWN)
    for (const cost of OUT_OF_BOUNDS)
      expect(hasher.recognise(pretendedHash(cost)).kind, JSON.stringify(cost)).to.not.equal('hash')
  })
})

describe('the scrypt hasher when it checks for outdated hashes', () => {
  it('treats bcrypt hashes, and hashes with other parameters, as outdated', () => {
    for (const change of [{ logN: 11 }, { r: 2 }, { p: 2 }])
      expect(hasher.isOutdated(storedHash(RIGHT, { ...COST, ...change }), RIGHT)).to.equal(true)
    expect(hasher.isOutdated(BCRYPT, RIGHT)).to.equal(true)
  })
})

describe('creation of the scrypt hasher', () => {
  it('rejects a cost whose hashes could not be verified later', () => {
    for (const cost of OUT_OF_BOUNDS)
      expect(() => createScryptHasher({ cost, concurrency: 1 })).to.throw(RangeError, /^cost: /)
  })

  it('rejects a pool that has no slots', () => {
    const create = (concurrency: number, queue = 1) => createScryptHasher({ cost: COST, concurrency, queue })
    for (const concurrency of [0, -1, 1.5, Number.NaN])
      expect(() => create(concurrency)).to.throw(RangeError, /^concurrency /)
    expect(() => create(1, -1)).to.throw(RangeError, /^queue /)
  })
})

describe('the scrypt hasher when it checks the cost of a stored hash', () => {
  const configured = { logN: 11, r: 2, p: 2 }
  for (const [change, kind] of [
    ...[{ logN: 13 }, { r: 8 }, { p: 8 }].map((change) => [change, 'hash'] as const),
    ...[{ logN: 14 }, { r: 9 }, { p: 9 }].map((change) => [change, 'too-costly'] as const),
  ])
    it(`treats ${JSON.stringify(change)} as ${kind} if the limit is 4 times the cost of ${JSON.stringify(configured)}`, async () => {
      const counted = countingKdf()
      const one = createScryptHasher({ cost: configured, concurrency: 1 }, counted.kdf)
      const hash = pretendedHash({ ...configured, ...change })
      expect(one.recognise(hash).kind).to.equal(kind)
      expect(await one.verify(RIGHT, hash)).to.equal(false)
      expect(counted.calls).to.deep.equal(kind === 'hash' ? ['matches'] : ['derive'])
    })

  it('accepts hashes that need at most 256 MiB, or the configured memory if that is more', () => {
    const kindOf = (cost: HashCost, stored: HashCost) =>
      createScryptHasher({ cost, concurrency: 1 }).recognise(pretendedHash(stored)).kind
    const usual = { logN: 17, r: 8, p: 1 }
    expect(kindOf(usual, { logN: 18, r: 8, p: 2 })).to.equal('hash')
    expect(kindOf(usual, { logN: 19, r: 8, p: 1 })).to.equal('too-costly')
    const dear = { logN: 20, r: 8, p: 1 }
    expect(kindOf(dear, dear)).to.equal('hash')
    expect(kindOf(dear, { logN: 20, r: 8, p: 4 })).to.equal('hash')
    expect(kindOf(dear, { logN: 20, r: 9, p: 1 })).to.equal('too-costly')
  })

  it('reports its limit to the caller, and logs only the first stored hash above the limit', async () => {
    const lines: unknown[] = []
    const log = { warn: (...line: unknown[]) => void lines.push(line) }
    const one = createScryptHasher({ cost: configured, concurrency: 1, log })
    const dear = pretendedHash({ logN: 20, r: 8, p: 16 })
    const limit = 'scrypt hashes are accepted up to 4 times the configured work (N=2^11 r=2 p=2) and 256 MiB'
    expect(one.recognise(dear)).to.deep.equal({ kind: 'too-costly', limit })
    expect(lines).to.deep.equal([])
    const bcrypt = `$2b$15$${BCRYPT.slice(7)}` as PasswordHash
    for (const hash of [dear, dear, bcrypt]) expect(await one.verify(RIGHT, hash)).to.equal(false)
    expect(lines).to.deep.equal([
      [
        'a stored password hash is too costly to verify: the account cannot log in until its password is set again',
        { detail: `scrypt N=2^20 r=8 p=16; ${limit}` },
      ],
    ])
  })
})
