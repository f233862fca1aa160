import assert from 'node:assert/strict'
import type { Password, PasswordHash } from '../../domain/identity/password.js'
import { isRefusal } from '../../domain/refusal.js'
import type { PasswordHasher } from '../../ports/password-hasher.js'
import { race, releaseTogether, tally } from '../barrier.js'
import { statementOf, type PortLaw } from '../law.js'

/** One promise of the port `PasswordHasher`; its check takes one hasher, which may be the same for all of them. */
type HasherLaw = PortLaw<'hasher', PasswordHasher>

const law = statementOf<'hasher', PasswordHasher>('hasher')
const RIGHT = 'correct horse' as Password
const MANY = 1_000

/** Texts that differ by what a careless hasher cuts, folds or does not see. */
const ALIKE: readonly (readonly [string, string])[] = [
  ['correct horse', 'Correct horse'],
  ['correct horse', 'correct horse '],
  ['Zo\u00eb', 'Zoe'],
  ['犬', '猫'],
  ['\u{1f436}', '\u{1f431}'],
  ['x'.repeat(72), 'x'.repeat(73)],
  ['x'.repeat(1_024), `${'x'.repeat(1_023)}y`],
  ['password', 'passwor'],
]

const NO_HASHES = [
  ...['', 'x', '$', 'correct horse', '$2b$', '$argon2id$', '\u0000', 'A'.repeat(128), '\u{1f436}'],
]

/** Of formats that are in use, each with parameters that keep a machine busy for a minute and longer. */
const ENDLESS = [
  `$2b$31$${'C'.repeat(21)}.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW`,
  // scrypt-kdf, N = 2^20, r = 8, p = 16.
  'c2NyeXB0ABQAAAAIAAAAEGEgc2FsdCBvZiAzMiBieXRlcyBmb3IgdGhpcyBsYXcuxsJt1rMCIreNNgz0RBJo8gcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcH',
  '$argon2id$v=19$m=4194304,t=64,p=1$YSBzYWx0IG9mIDMyIGJ5dGVz$BwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwc',
]

/** What bcrypt sees of a password is its first 72 bytes; here all of it. */
const BCRYPT_SEEN = `${'0123456789'.repeat(7)}01`
const BCRYPT = '$2b$04$abcdefghijklmnopqrstuum2G75IXDN/xsgbNa/hCiPSKyIHQd70S' as PasswordHash

/**
 * The laws of `PasswordHasher`. They compute up to a thousand hashes: pass a hasher of a low cost. That a
 * false answer of `verify` always costs one hash is a promise too; it takes a clock and a quiet machine to see.
 */
export const hasherLaws: readonly HasherLaw[] = [
  law('a hash verifies with its password, as often as it is asked')
    .protects('The right password opens the account.')
    .check(async (hasher) => {
      for (const text of new Set(ALIKE.map(([one]) => one))) {
        const hash = await hasher.hash(text as Password)
        for (const time of [1, 2])
          assert.equal(await hasher.verify(text as Password, hash), true, `"${text}", time ${time}`)
      }
    }),
  law('a hash verifies with no other password, however alike')
    .protects('A part of the password, or another case of it, opens nothing.')
    .check(async (hasher) => {
      for (const [text, other] of ALIKE) {
        const hash = await hasher.hash(text as Password)
        assert.equal(await hasher.verify(other as Password, hash), false, `"${other}" is not "${text}"`)
      }
    }),
  law('two hashes of one password differ')
    .protects('A reader of the store does not see who has the same password.')
    .check(async (hasher) => {
      const hashes = [await hasher.hash(RIGHT), await hasher.hash(RIGHT), await hasher.hash(RIGHT)]
      assert.equal(new Set(hashes).size, 3)
      for (const hash of hashes) assert.equal(await hasher.verify(RIGHT, hash), true)
    }),
  law('a hash does not show its password')
    .protects('A reader of the store cannot log in.')
    .check(async (hasher) => {
      const hash = await hasher.hash(RIGHT)
      const shown = [RIGHT, ...(['base64', 'base64url', 'hex'] as const).map((form) => encoded(RIGHT, form))]
      const found = shown.filter((text) => hash.includes(text))
      assert.deepEqual(found, [])
    }),
  law('without a password or without a hash nothing verifies, and nothing throws')
    .protects('An empty password opens no account without a password, and no reply reveals such an account.')
    .check(async (hasher) => {
      const hash = await hasher.hash(RIGHT)
      assert.equal(await hasher.verify(undefined, hash), false)
      assert.equal(await hasher.verify(RIGHT, undefined), false)
      assert.equal(await hasher.verify(undefined, undefined), false)
    }),
  law('a text that is no hash never verifies and never throws')
    .protects('A row that was damaged or planted opens no account, and stops no server.')
    .check(async (hasher) => {
      for (const text of NO_HASHES) {
        for (const password of [RIGHT, text as Password])
          assert.equal(await hasher.verify(password, text as PasswordHash), false, `"${text}" is no hash`)
      }
    }),
  law('a hash that was cut short never verifies and never throws')
    .protects('A column that is too narrow opens no account.')
    .check(async (hasher) => {
      const hash = await hasher.hash(RIGHT)
      for (const length of [1, hash.length >>> 1, hash.length - 1]) {
        const cut = hash.slice(0, length) as PasswordHash
        assert.equal(await hasher.verify(RIGHT, cut), false, `${length} of ${hash.length} characters`)
      }
    }),
  law('a new hash is recognised, and not outdated')
    .protects('No password is hashed anew at every login.')
    .check(async (hasher) => {
      const hash = await hasher.hash(RIGHT)
      assert.deepEqual(hasher.recognise(hash), { kind: 'hash', hash })
      assert.equal(hasher.isOutdated(hash, RIGHT), false)
    }),
  law('a text that is no hash is not recognised')
    .protects('A password that is imported is not stored as if it were a hash.')
    .check(async (hasher) => {
      const recognised = NO_HASHES.filter((text) => hasher.recognise(text).kind !== 'unknown')
      assert.deepEqual(recognised, [])
    }),
  law('a hash of extreme cost is not accepted and never verifies')
    .protects('A planted hash does not choose how long the server computes for it.')
    .check(async (hasher) => {
      for (const text of ENDLESS) {
        assert.notEqual(hasher.recognise(text).kind, 'hash', text)
        assert.equal(await hasher.verify(RIGHT, text as PasswordHash), false, text)
      }
    }),
  law('a hash that has not seen the end of a password is not outdated by it')
    .protects('A login with a wrong end does not make it the right one.')
    .check(async (hasher) => {
      for (const text of [BCRYPT_SEEN, `${BCRYPT_SEEN} and an end`] as Password[])
        if (await hasher.verify(text, BCRYPT)) assert.equal(hasher.isOutdated(BCRYPT, text), false)
    }),
  law('of 16 verifications at once each gets its own answer')
    .protects('Another login at the same moment opens no account.')
    .check(async (hasher) => {
      const hash = await hasher.hash(RIGHT)
      const answers = await race((caller) => verdict(hasher, caller % 2 === 0 ? RIGHT : wrong(caller), hash))
      const expected = (caller: number) => (caller % 2 === 0 ? 'right' : 'wrong')
      for (const [caller, answer] of answers.entries())
        if (answer !== 'overloaded') assert.equal(answer, expected(caller), `caller ${caller}`)
      assert.ok(answers.includes('right') || answers.includes('wrong'), 'some are answered')
    }),
  law('of a thousand verifications at once some are refused as overloaded, and it recovers')
    .protects('A flood of logins takes neither all memory nor all time.')
    .check(async (hasher) => {
      const hash = await hasher.hash(RIGHT)
      const calls = Array.from({ length: MANY }, () => () => verdict(hasher, RIGHT, hash))
      const { right = 0, overloaded = 0, ...other } = tally(await releaseTogether(calls))
      assert.deepEqual(other, {}, 'nothing else happens')
      assert.ok(right > 0, 'some are answered')
      assert.ok(overloaded > 0, 'some are refused')
      assert.equal(await verdict(hasher, RIGHT, hash), 'right', 'afterwards there is room again')
    }),
]

function encoded(text: string, form: 'base64' | 'base64url' | 'hex'): string {
  return Buffer.from(text).toString(form)
}

function wrong(caller: number): Password {
  return `${RIGHT} ${caller}` as Password
}

async function verdict(hasher: PasswordHasher, password: Password, hash: PasswordHash): Promise<string> {
  try {
    return (await hasher.verify(password, hash)) ? 'right' : 'wrong'
  } catch (error) {
    if (isRefusal(error) && error.code === 'overloaded') return 'overloaded'
    throw error
  }
}
