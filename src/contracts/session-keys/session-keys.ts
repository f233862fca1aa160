import assert from 'node:assert/strict'
import type { SessionId, SessionKey } from '../../domain/identity/session.js'
import type { SessionKeys } from '../../ports/session-keys.js'
import { statementOf, type PortLaw } from '../law.js'

/** The implementation of `SessionKeys` under test, with a ring of two server keys. */
export type SessionKeysUnderTest = {
  /** Opens session keys with the same key ring, as another process would. */
  readonly open: () => SessionKeys
  readonly kids: readonly [string, string]
}

const law = statementOf<'sessionKeys', SessionKeysUnderTest>('sessionKeys')

const MANY = 1_000
const BITS = 256
const SESSION = 'a-session' as SessionId
/** The form of a session key: 256 bits in 43 base64url characters; the last two bits of the last character are unused and zero. */
const KEY_FORM = /^[\w-]{42}[AEIMQUYcgkosw048]$/

/** Contract tests for every implementation of `SessionKeys`. */
export const sessionKeysLaws: readonly PortLaw<'sessionKeys', SessionKeysUnderTest>[] = [
  law('a thousand new keys differ, and each of their 256 bits varies')
    .protects('A session key cannot be guessed.')
    .check(async ({ open }) => {
      const keys = freshKeys(open(), MANY)
      for (const key of keys) assert.match(key, KEY_FORM)
      assert.equal(new Set(keys).size, MANY)
      const bytes = keys.map((key) => Buffer.from(key, 'base64url'))
      for (let bit = 0; bit < BITS; bit += 1) {
        const set = bytes.filter((one) => (((one[bit >> 3] ?? 0) >> (bit & 7)) & 1) === 1).length
        // If the bits are random, the count for a bit is outside these limits only once in 10^22 runs.
        assert.ok(set > MANY / 3 && set < (MANY * 2) / 3, `bit ${bit} is set in ${set} of ${MANY} keys`)
      }
    }),
  law('two processes never generate the same key')
    .protects('Two logins never share a session key.')
    .check(async ({ open }) => {
      const keys = [...freshKeys(open(), MANY), ...freshKeys(open(), MANY)]
      assert.equal(new Set(keys).size, 2 * MANY)
    }),
  law('the digest of a key is the SHA-256 hash of the key, in every process')
    .protects('Every instance finds a session by its key, and a reader of the store learns no key.')
    .check(async ({ open }) => {
      const [keys, elsewhere] = [open(), open()]
      for (const key of freshKeys(keys, 10)) {
        const digest = await sha256(key)
        assert.deepEqual(
          [keys.digest(key), keys.digest(key), elsewhere.digest(key)],
          [digest, digest, digest],
        )
      }
    }),
  law('a key has exactly one successor, which is the same in every process and on every call')
    .protects('Two tabs that refresh concurrently get the same cookie.')
    .check(async ({ open, kids: [kid] }) => {
      const [keys, elsewhere] = [open(), open()]
      const key = keys.fresh()
      const successors = [keys, keys, elsewhere].map((one) => one.successor(kid, key, SESSION, 2))
      assert.match(String(successors[0]), KEY_FORM)
      assert.equal(new Set(successors).size, 1)
    }),
  law('a different server key, session key, session or generation results in a different successor')
    .protects("A replaced key does not work, and one session's key does not reveal another session's key.")
    .check(async ({ open, kids: [kid, other] }) => {
      const keys = open()
      const key = keys.fresh()
      const successors = [
        key,
        keys.successor(kid, key, SESSION, 2),
        keys.successor(other, key, SESSION, 2),
        keys.successor(kid, keys.fresh(), SESSION, 2),
        keys.successor(kid, key, 'another-session' as SessionId, 2),
        keys.successor(kid, key, SESSION, 3),
        // In these calls, concatenating the key, the session ID and the generation gives the same string.
        keys.successor(kid, `${key}a` as SessionKey, '-session' as SessionId, 2),
        keys.successor(kid, key, `${SESSION}2` as SessionId, 2),
        keys.successor(kid, key, SESSION, 22),
      ]
      assert.equal(new Set(successors).size, successors.length)
    }),
  law('an unknown server key produces no successor')
    .protects('After the server keys change, no session continues with a key that an attacker can compute.')
    .check(async ({ open }) => {
      const keys = open()
      for (const kid of ['no-such-key', '', '__proto__', 'constructor'])
        assert.equal(keys.successor(kid, keys.fresh(), SESSION, 2), undefined, JSON.stringify(kid))
    }),
  law('no key occurs twice in a chain of a thousand successors')
    .protects('A session that is refreshed for a year never gets an earlier key again.')
    .check(async ({ open, kids: [kid] }) => {
      const keys = open()
      const chain = [keys.fresh()]
      for (let generation = 2; generation <= MANY; generation += 1) {
        const next = keys.successor(kid, chain.at(-1) ?? keys.fresh(), SESSION, generation)
        chain.push(next ?? assert.fail('there is a successor'))
      }
      assert.equal(new Set(chain).size, MANY)
    }),
]

function freshKeys(keys: SessionKeys, count: number): readonly SessionKey[] {
  return Array.from({ length: count }, () => keys.fresh())
}

async function sha256(text: string): Promise<string> {
  return Buffer.from(await crypto.subtle.digest('SHA-256', Buffer.from(text))).toString('base64url')
}
