import { expect } from 'chai'
import fc from 'fast-check'
import type { PasswordHash } from '../../../src/domain/identity/password.js'
import { createScryptHasher, type HashCost } from '../../../src/adapters/scrypt/index.js'
import { countingKdf } from '../../support/counting-kdf.js'
import { COST, damaged, password, pretendedHash, storedHash } from '../../support/stored-hash.js'

const hasher = createScryptHasher({ cost: COST, concurrency: 2 })
const RIGHT = password('correct horse')
const BCRYPT = '$2b$05$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW' as PasswordHash

const UNKNOWN = { kind: 'unknown' }

const OUT_OF_BOUNDS = [
  { logN: 31, r: 8, p: 1 },
  { logN: 21, r: 8, p: 1 },
  { logN: 9, r: 8, p: 1 },
  { logN: 0, r: 8, p: 1 },
  { logN: 255, r: 8, p: 1 },
  { logN: 10, r: 33, p: 1 },
  { logN: 10, r: 0, p: 1 },
  { logN: 10, r: 1, p: 17 },
  { logN: 10, r: 1, p: 0 },
  { logN: 10, r: 4_294_967_295, p: 4_294_967_295 },
  { logN: 20, r: 16, p: 1 },
  // Below 2^(128 · r / 8) there is no scrypt.
  { logN: 16, r: 1, p: 1 },
]

const CORRUPT = [
  '',
  'x',
  'scrypt',
  '$2b$',
  '$2b$31$',
  'A'.repeat(128),
  'A'.repeat(127),
  '\u0000',
  '😀'.repeat(64),
]

describe('the scrypt hasher, hashing', () => {
  it('makes hashes that verify with that password and no other', async () => {
    const hash = await hasher.hash(RIGHT)
    expect(await hasher.verify(RIGHT, hash)).to.equal(true)
    for (const wrong of ['Correct horse', 'correct horse ', 'correct hors', '']) {
      expect(await hasher.verify(password(wrong), hash)).to.equal(false)
    }
  })

  it('makes two different hashes of one password', async () => {
    expect(await hasher.hash(RIGHT)).to.not.equal(await hasher.hash(RIGHT))
  })

  it('writes the configured parameters into the hash', async () => {
    const bytes = Buffer.from(
      await createScryptHasher({ cost: { logN: 11, r: 2, p: 3 }, concurrency: 1 }).hash(RIGHT),
      'base64',
    )
    expect([bytes.readUInt8(7), bytes.readUInt32BE(8), bytes.readUInt32BE(12)]).to.deep.equal([11, 2, 3])
  })

  it('keeps any well-formed text apart by its UTF-8 bytes', async () => {
    for (const text of [
      'ä',
      'a\u0308',
      '😀',
      ' leading and trailing ',
      'x'.repeat(1024),
      '日本語のパスワード',
    ]) {
      const hash = await hasher.hash(password(text))
      expect(await hasher.verify(password(text), hash)).to.equal(true)
      expect(await hasher.verify(password(`${text}.`), hash)).to.equal(false)
    }
    expect(await hasher.verify(password('ä'), await hasher.hash(password('a\u0308')))).to.equal(false)
  })

  it('knows no password with U+0000: scrypt would not see it at the end', async () => {
    const hash = await hasher.hash(RIGHT)
    expect(await hasher.verify(password(`${RIGHT}\u0000`), hash)).to.equal(false)
    const outcome = await hasher.hash(password('a\u0000')).then(
      () => 'hashed',
      (error: unknown) => error,
    )
    expect(outcome).to.be.instanceOf(RangeError)
  })
})

describe('the scrypt hasher, verifying what others wrote', () => {
  it('verifies a hash that was written from the description of the format', async () => {
    const other = createScryptHasher({ cost: { logN: 12, r: 8, p: 1 }, concurrency: 1 })
    const hash = storedHash(RIGHT, { logN: 12, r: 8, p: 2 })
    expect(await other.verify(RIGHT, hash)).to.equal(true)
    expect(await other.verify(password('other'), hash)).to.equal(false)
  })

  const vectors: readonly [string, string][] = [
    ['U*U', '$2a$05$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW'],
    ['U*U*', '$2a$05$CCCCCCCCCCCCCCCCCCCCC.VGOzA784oUp/Z0DY336zx7pLYAy0lwK'],
    ['U*U*U', '$2a$05$XXXXXXXXXXXXXXXXXXXXXOAcXxm9kjPGEMsLznoKqmqw7tc8WCx4a'],
    ['U*U', '$2b$05$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW'],
    ['U*U', '$2y$05$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW'],
    // Of libxcrypt.
    ['pässwörd €😀', '$2y$04$abcdefghijklmnopqrstuuqVj55e6.LS4.ZX/zsPY3vFwMoG16F5.'],
    ['pässwörd €😀', '$2b$04$abcdefghijklmnopqrstuuqVj55e6.LS4.ZX/zsPY3vFwMoG16F5.'],
    ['', '$2a$04$abcdefghijklmnopqrstuubyCG3zY1GIXMyxfivm.ClDiInHzxjiq'],
    ['0123456789'.repeat(7) + '01', '$2b$04$abcdefghijklmnopqrstuum2G75IXDN/xsgbNa/hCiPSKyIHQd70S'],
  ]
  for (const [text, hash] of vectors) {
    it(`verifies ${hash.slice(0, 12)}… with "${text.slice(0, 12)}" only`, async () => {
      expect(await hasher.verify(password(text), hash as PasswordHash)).to.equal(true)
      expect(await hasher.verify(password(`x${text}`), hash as PasswordHash)).to.equal(false)
    })
  }

  it('does not stop the event loop for a bcrypt hash', async () => {
    let turns = 0
    const turning = setInterval(() => (turns += 1), 1)
    await hasher.verify(
      password('x'),
      '$2b$10$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW' as PasswordHash,
    )
    clearInterval(turning)
    expect(turns).to.be.greaterThan(5)
  })
})

describe('the scrypt hasher, whatever it is given', () => {
  async function cost(text: string | undefined, hash: string | undefined, current = COST) {
    const counted = countingKdf()
    const counting = createScryptHasher({ cost: current, concurrency: 1 }, counted.kdf)
    const answer = await counting.verify(
      text === undefined ? undefined : password(text),
      hash as PasswordHash | undefined,
    )
    return { answer, calls: counted.calls, costs: counted.costs }
  }
  const decoy = { answer: false, calls: ['derive'], costs: [COST] }

  it('computes one decoy at the current cost without a password, a hash, or both', async () => {
    const hash = storedHash(RIGHT, COST)
    expect(await cost(undefined, hash)).to.deep.equal(decoy)
    expect(await cost(RIGHT, undefined)).to.deep.equal(decoy)
    expect(await cost(undefined, undefined)).to.deep.equal(decoy)
    expect(await cost(undefined, BCRYPT)).to.deep.equal(decoy)
    expect(await cost(`${RIGHT}\u0000`, hash)).to.deep.equal(decoy)
  })

  it('computes one hash for a right and for a wrong password', async () => {
    const hash = storedHash(RIGHT, COST)
    expect(await cost(RIGHT, hash)).to.deep.equal({ answer: true, calls: ['matches'], costs: [] })
    expect(await cost('wrong', hash)).to.deep.equal({ answer: false, calls: ['matches'], costs: [] })
    expect(await cost('U*U', BCRYPT)).to.deep.equal({ answer: true, calls: ['matchesBcrypt'], costs: [] })
  })

  it('computes a decoy after a cheaper or a foreign hash that did not match', async () => {
    const current = { logN: 12, r: 2, p: 1 }
    for (const cheaper of [{ logN: 11 }, { r: 1 }, { logN: 10, r: 1, p: 7 }]) {
      const hash = storedHash(RIGHT, { ...current, ...cheaper })
      expect(await cost('wrong', hash, current), JSON.stringify(cheaper)).to.deep.equal({
        answer: false,
        calls: ['matches', 'derive'],
        costs: [current],
      })
      expect(await cost(RIGHT, hash, current)).to.deep.equal({ answer: true, calls: ['matches'], costs: [] })
    }
    expect(await cost('wrong', BCRYPT)).to.deep.equal({
      answer: false,
      calls: ['matchesBcrypt', 'derive'],
      costs: [COST],
    })
  })

  it('computes no decoy after a dearer hash, which has cost more than one already', async () => {
    for (const dearer of [{ logN: 12 }, { r: 4 }, { logN: 11, r: 2 }, { p: 4 }]) {
      const hash = storedHash(RIGHT, { ...COST, ...dearer })
      expect(await cost('wrong', hash)).to.deep.equal({ answer: false, calls: ['matches'], costs: [] })
    }
  })

  it('computes the decoy in the place that the hash had in the pool', async () => {
    const counted = countingKdf()
    const counting = createScryptHasher({ cost: COST, concurrency: 1, queue: 0 }, counted.kdf)
    const outcomes = await Promise.allSettled([
      counting.verify(password('wrong'), BCRYPT),
      counting.verify(password('wrong'), BCRYPT),
    ])
    expect(outcomes.map(({ status }) => status)).to.deep.equal(['fulfilled', 'rejected'])
    expect(counted.calls).to.deep.equal(['matchesBcrypt', 'derive'])
    expect(counted.most()).to.equal(1)
  })

  it('computes one decoy for a corrupt hash and never throws', async () => {
    for (const hash of CORRUPT) expect(await cost(RIGHT, hash), hash).to.deep.equal(decoy)
  })

  it('obeys no parameters out of bounds and computes one decoy instead', async () => {
    for (const parameters of OUT_OF_BOUNDS) {
      expect(await cost(RIGHT, pretendedHash(parameters)), JSON.stringify(parameters)).to.deep.equal(decoy)
    }
  })

  it('takes no memory for a hash that asks for 256 GiB', async () => {
    const before = process.memoryUsage().rss
    for (let round = 0; round < 20; round += 1) {
      expect(await hasher.verify(RIGHT, pretendedHash({ logN: 31, r: 1, p: 1 }))).to.equal(false)
    }
    expect(process.memoryUsage().rss - before).to.be.lessThan(64 * 1024 * 1024)
  })

  it('verifies no hash with a damaged byte, and each costs one hash', async () => {
    const hash = storedHash(RIGHT, COST)
    for (let place = 0; place < 96; place += 1) {
      const { answer, calls } = await cost(RIGHT, damaged(hash, place))
      expect([answer, calls.length], `at ${place}`).to.deep.equal([false, 1])
    }
  })

  it('never throws for any text as a hash', async () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.base64String(),
      fc.constant('$2b$04$').chain((head) => fc.string().map((tail) => head + tail)),
    )
    await fc.assert(
      fc.asyncProperty(text, async (hash) => {
        expect(await hasher.verify(RIGHT, hash as PasswordHash)).to.equal(false)
        expect(hasher.recognise(hash)).to.deep.equal(UNKNOWN)
        expect(hasher.isOutdated(hash as PasswordHash, RIGHT)).to.equal(true)
      }),
      { numRuns: 200 },
    )
  })
})

describe('the scrypt hasher, recognising', () => {
  it('knows its own hashes and those of bcrypt', async () => {
    for (const hash of [await hasher.hash(RIGHT), storedHash(RIGHT, { logN: 11, r: 2, p: 1 }), BCRYPT]) {
      expect(hasher.recognise(hash)).to.deep.equal({ kind: 'hash', hash })
    }
  })

  it('knows bcrypt of cost 4 to 14, in its three spellings', () => {
    const of = (head: string) => hasher.recognise(head + BCRYPT.slice(7)).kind
    for (const head of ['$2a$04$', '$2b$14$', '$2y$12$']) expect(of(head), head).to.equal('hash')
    for (const head of ['$2a$15$', '$2b$29$', '$2y$31$']) expect(of(head), head).to.equal('too-costly')
    for (const head of ['$2x$05$', '$2$05$', '$2b$03$', '$2b$32$', '$2B$05$', '$1$'])
      expect(of(head), head).to.equal('unknown')
  })

  it('knows nothing that could not be verified later', () => {
    const hash = storedHash(RIGHT, COST)
    const others = [
      ...CORRUPT,
      pretendedHash(COST, 'Scrypt'),
      pretendedHash(COST, 'scrypt\u0001'),
      ...[0, 5, 6, 7, 12, 16, 47, 48, 63].map((place) => damaged(hash, place)),
      ` ${hash}`,
      `${hash}\n`,
      `${hash}=`,
      hash.slice(0, -1),
      `${hash.slice(0, -1)}-`,
      `${BCRYPT} `,
      BCRYPT.slice(0, -1),
      // The last character of a salt has four spare bits, that of a hash two.
      BCRYPT.replace('C.E', 'C/E'),
      `${BCRYPT.slice(0, -1)}X`,
    ]
    for (const text of others) expect(hasher.recognise(text), text).to.deep.equal(UNKNOWN)
    for (const cost of OUT_OF_BOUNDS)
      expect(hasher.recognise(pretendedHash(cost)).kind, JSON.stringify(cost)).to.not.equal('hash')
  })

  it('takes ordinary passwords for passwords', () => {
    for (const text of ['hunter22', 'a'.repeat(128), '$2b$ is not a hash', RIGHT]) {
      expect(hasher.recognise(text)).to.deep.equal(UNKNOWN)
    }
  })
})

describe('the scrypt hasher, judging age', () => {
  it('finds its own hashes current', async () => {
    expect(hasher.isOutdated(await hasher.hash(RIGHT), RIGHT)).to.equal(false)
  })

  it('finds every other parameter and every bcrypt hash outdated', () => {
    for (const change of [{ logN: 11 }, { r: 2 }, { p: 2 }]) {
      expect(hasher.isOutdated(storedHash(RIGHT, { ...COST, ...change }), RIGHT)).to.equal(true)
    }
    expect(hasher.isOutdated(BCRYPT, RIGHT)).to.equal(true)
  })

  it('keeps a bcrypt hash of which the password has 72 bytes or more: its end was not compared', () => {
    for (const text of ['x'.repeat(72), 'x'.repeat(73), 'é'.repeat(36), '犬'.repeat(24)])
      expect(hasher.isOutdated(BCRYPT, password(text)), text).to.equal(false)
    for (const text of ['x'.repeat(71), `${'é'.repeat(35)}x`, '犬'.repeat(23)])
      expect(hasher.isOutdated(BCRYPT, password(text)), text).to.equal(true)
    const long = password('x'.repeat(73))
    expect(hasher.isOutdated(storedHash(long, { ...COST, logN: 11 }), long)).to.equal(true)
  })
})

describe('the scrypt hasher, created', () => {
  it('refuses a cost that it could not verify later', () => {
    for (const cost of OUT_OF_BOUNDS) {
      expect(() => createScryptHasher({ cost, concurrency: 1 })).to.throw(RangeError, /^cost: /)
    }
  })

  it('refuses a pool without a place', () => {
    for (const concurrency of [0, -1, 1.5, Number.NaN]) {
      expect(() => createScryptHasher({ cost: COST, concurrency })).to.throw(RangeError, /^concurrency /)
    }
    expect(() => createScryptHasher({ cost: COST, concurrency: 1, queue: -1 })).to.throw(
      RangeError,
      /^queue /,
    )
  })
})

describe('the scrypt hasher and the cost of a stored hash', () => {
  const configured = { logN: 11, r: 2, p: 2 }
  type Step = readonly [change: object, kind: 'hash' | 'too-costly']
  const steps: readonly Step[] = [
    [{ logN: 13 }, 'hash'],
    [{ r: 8 }, 'hash'],
    [{ p: 8 }, 'hash'],
    [{ logN: 12, r: 4 }, 'hash'],
    [{ logN: 14 }, 'too-costly'],
    [{ r: 9 }, 'too-costly'],
    [{ p: 9 }, 'too-costly'],
    [{ logN: 20, r: 8, p: 16 }, 'too-costly'],
  ]
  for (const [change, kind] of steps) {
    it(`takes ${JSON.stringify(change)} as ${kind}: up to 4 times of ${JSON.stringify(configured)}`, async () => {
      const counted = countingKdf()
      const one = createScryptHasher({ cost: configured, concurrency: 1 }, counted.kdf)
      const hash = pretendedHash({ ...configured, ...change })
      expect(one.recognise(hash).kind).to.equal(kind)
      expect(await one.verify(RIGHT, hash)).to.equal(false)
      expect(counted.calls).to.deep.equal(kind === 'hash' ? ['matches'] : ['derive'])
    })
  }

  it('takes no more than 256 MiB, and what is configured where that is more', () => {
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

  it('says what it takes to a caller who brings a hash, and once to the log what it found stored', async () => {
    const lines: unknown[] = []
    const log = { warn: (...line: unknown[]) => void lines.push(line) }
    const one = createScryptHasher({ cost: configured, concurrency: 1, log })
    const dear = pretendedHash({ logN: 20, r: 8, p: 16 })
    const limit =
      'scrypt is taken up to 4 times the configured work (N=2^11 r=2 p=2) and 256 MiB, bcrypt up to cost 14'
    expect(one.recognise(dear)).to.deep.equal({ kind: 'too-costly', limit })
    expect(lines).to.deep.equal([])
    const bcrypt = `$2b$15$${BCRYPT.slice(7)}` as PasswordHash
    for (const hash of [dear, dear, bcrypt]) expect(await one.verify(RIGHT, hash)).to.equal(false)
    expect(lines).to.deep.equal([
      [
        'a stored password hash is too costly to verify: its account cannot log in until its password is set again',
        { detail: `scrypt N=2^20 r=8 p=16; ${limit}` },
      ],
    ])
  })
})
