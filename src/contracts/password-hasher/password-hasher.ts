import assert from 'node:assert/strict'
import type { Password, PasswordHash } from '../../domain/identity/password.js'
import { isRefusal } from '../../domain/refusal.js'
import type { PasswordHasher } from '../../ports/passwords.js'
import { eachInOrder, race, startTogether, tally, statementOf, type PortLaw } from '../law.js'

const law = statementOf<'hasher', PasswordHasher>('hasher')
const RIGHT = 'correct horse' as Password
const MANY = 1_000

/** Pairs of different passwords that a careless hasher treats as equal. */
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

/** Hashes in common formats that each take more than a minute to verify. */
const ENDLESS = [
  `$2b$31$${'C'.repeat(21)}.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW`,
  // A scrypt-kdf hash with N = 2^20, r = 8, p = 16.
  'c2NyeXB0ABQAAAAIAAAAEGEgc2FsdCBvZiAzMiBieXRlcyBmb3IgdGhpcyBsYXcuxsJt1rMCIreNNgz0RBJo8gcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcH',
  '$argon2id$v=19$m=4194304,t=64,p=1$YSBzYWx0IG9mIDMyIGJ5dGVz$BwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwc',
]

/** bcrypt reads only the first 72 bytes of a password; this password has exactly 72. */
const BCRYPT_SEEN = `${'0123456789'.repeat(7)}01`
const BCRYPT = '$2b$04$abcdefghijklmnopqrstuum2G75IXDN/xsgbNa/hCiPSKyIHQd70S' as PasswordHash
const BCRYPT_OF_DIGITS = '$2b$04$abcdefghijklmnopqrstuukG4M1S/hTEKb0Kygzz8Ksp5uVuMC3.S' as PasswordHash
const BCRYPT_OF_ELLIPSIS = '$2b$04$abcdefghijklmnopqrstuuq.0lJ494NnYSiZSOzzEhrxiLT1fCppO' as PasswordHash

/**
 * Contract tests for `PasswordHasher`. All checks may use the same hasher. The laws compute up to a thousand hashes, so pass a hasher with
 * a low cost. No law checks that every failed verification takes as long as one hash, because such a check needs a clock and an otherwise
 * idle machine.
 */
export const hasherLaws: readonly PortLaw<'hasher', PasswordHasher>[] = [
  law('a hash verifies with its password every time')
    .protects('The right password opens the account.')
    .check(async (hasher) => {
      for (const text of new Set(ALIKE.map(([one]) => one))) {
        const hash = await hasher.hash(text as Password)
        for (const time of [1, 2])
          assert.equal(await hasher.verify(text as Password, hash), true, `"${text}", time ${time}`)
      }
    }),
  law('a hash does not verify with any other password, even a similar one')
    .protects('A part of the password, or the password in different case, is not accepted.')
    .check(async (hasher) => {
      for (const [text, other] of ALIKE) {
        const hash = await hasher.hash(text as Password)
        assert.equal(await hasher.verify(other as Password, hash), false, `"${other}" is not "${text}"`)
      }
    }),
  law('two hashes of the same password differ')
    .protects('A reader of the store does not see which users share a password.')
    .check(async (hasher) => {
      const hashes = await eachInOrder([1, 2, 3], () => hasher.hash(RIGHT))
      assert.equal(new Set(hashes).size, 3)
      for (const hash of hashes) assert.equal(await hasher.verify(RIGHT, hash), true)
    }),
  law('a hash does not reveal its password')
    .protects('A reader of the store cannot log in.')
    .check(async (hasher) => {
      const hash = await hasher.hash(RIGHT)
      const bytes = Buffer.from(RIGHT)
      for (const text of [
        RIGHT,
        bytes.toString('base64'),
        bytes.toString('base64url'),
        bytes.toString('hex'),
      ])
        assert.ok(!hash.includes(text), text)
    }),
  law('verify returns false without throwing if the password or the hash is missing')
    .protects(
      'An empty password does not open an account without a password, and no reply reveals such an account.',
    )
    .check(async (hasher) => {
      const hash = await hasher.hash(RIGHT)
      assert.equal(await hasher.verify(undefined, hash), false)
      assert.equal(await hasher.verify(RIGHT, undefined), false)
      assert.equal(await hasher.verify(undefined, undefined), false)
    }),
  law('text that is not a hash matches no password and causes no error')
    .protects('A damaged or planted hash neither gives access to an account nor stops a server.')
    .check(async (hasher) => {
      for (const text of NO_HASHES) {
        for (const password of [RIGHT, text as Password])
          assert.equal(await hasher.verify(password, text as PasswordHash), false, `"${text}" is not a hash`)
      }
    }),
  law('a truncated hash matches no password and causes no error')
    .protects('If a database column truncates hashes, no password gives access to the account.')
    .check(async (hasher) => {
      const hash = await hasher.hash(RIGHT)
      for (const length of [1, hash.length >>> 1, hash.length - 1]) {
        const cut = hash.slice(0, length) as PasswordHash
        assert.equal(await hasher.verify(RIGHT, cut), false, `${length} of ${hash.length} characters`)
      }
    }),
  law('a new hash is recognized and not outdated')
    .protects('Passwords are not rehashed at every login.')
    .check(async (hasher) => {
      const hash = await hasher.hash(RIGHT)
      assert.deepEqual(hasher.recognise(hash), { kind: 'hash', hash })
      assert.equal(hasher.isOutdated(hash, RIGHT), false)
    }),
  law('text that is not a hash is not recognized as a hash')
    .protects('An imported password is not stored as if it were a hash.')
    .check(async (hasher) => {
      const recognised = NO_HASHES.filter((text) => hasher.recognise(text).kind !== 'unknown')
      assert.deepEqual(recognised, [])
    }),
  law('a hash with an extreme cost is rejected and never verifies')
    .protects('A planted hash cannot make the server compute for a long time.')
    .check(async (hasher) => {
      for (const text of ENDLESS) {
        assert.notEqual(hasher.recognise(text).kind, 'hash', text)
        assert.equal(await hasher.verify(RIGHT, text as PasswordHash), false, text)
      }
    }),
  law("a bcrypt hash is not reported as outdated for a password above bcrypt's limit")
    .protects("A wrong ending beyond bcrypt's limit, which bcrypt ignores, does not replace the stored hash.")
    .check(async (hasher) => {
      for (const text of [BCRYPT_SEEN, `${BCRYPT_SEEN} and an end`] as Password[])
        if (await hasher.verify(text, BCRYPT)) assert.equal(hasher.isOutdated(BCRYPT, text), false)
    }),
  law('a bcrypt hash verifies with the unnormalized password, if the hasher supports bcrypt')
    .protects('A user imported from a system that does not normalize passwords is not locked out.')
    .check(async (hasher) => {
      if (!(await hasher.verify('0123456789' as Password, BCRYPT_OF_DIGITS))) return
      assert.equal(
        await hasher.verify('wait for it...' as Password, BCRYPT_OF_ELLIPSIS, 'wait for it…'),
        true,
      )
      assert.equal(
        await hasher.verify('wait for it...' as Password, BCRYPT_OF_ELLIPSIS, 'wait for it‥.'),
        false,
      )
      assert.equal(await hasher.verify(undefined, BCRYPT_OF_ELLIPSIS, 'wait for it…'), false)
    }),
  law('each of 16 concurrent verifications gets its own result')
    .protects('A concurrent login with a different password does not succeed.')
    .check(async (hasher) => {
      const hash = await hasher.hash(RIGHT)
      const answers = await race((caller) => verdict(hasher, caller % 2 === 0 ? RIGHT : wrong(caller), hash))
      for (const [caller, answer] of answers.entries())
        if (answer !== 'overloaded')
          assert.equal(answer, caller % 2 === 0 ? 'right' : 'wrong', `caller ${caller}`)
      assert.ok(answers.includes('right') || answers.includes('wrong'), 'some verifications succeed')
    }),
  law('some of a thousand concurrent verifications are rejected because of overload, and later ones succeed')
    .protects('A flood of logins does not exhaust memory or CPU.')
    .check(async (hasher) => {
      const hash = await hasher.hash(RIGHT)
      const calls = Array.from({ length: MANY }, () => () => verdict(hasher, RIGHT, hash))
      const { right = 0, overloaded = 0, ...other } = tally(await startTogether(calls))
      assert.deepEqual(other, {}, 'there is no other outcome')
      assert.ok(right > 0, 'some verifications succeed')
      assert.ok(overloaded > 0, 'some verifications are refused')
      assert.equal(await verdict(hasher, RIGHT, hash), 'right', 'a later verification succeeds')
    }),
]

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
