import type { Idempotency, PetInsertion } from '../../../../src/ports/pets.js'
import { breakageOf, everybodyElse, type Breakage } from '../breakage.js'

const broken = breakageOf('pets')
const AGAIN = 'the same idempotency key and fingerprint again make nothing'
const OVER = 'an idempotency key is free again from its end on'
const RACE = 'of 16 inserts with one idempotency key at once exactly one makes a pet'
const PURGE = 'purge removes the idempotency keys that are over'

export const brokenIdempotency: readonly Breakage[] = [
  broken('idempotency keys are not looked at', [AGAIN, RACE], (inner) => ({
    insert: (draft) => inner.insert(draft),
  })),
  broken(
    'fingerprints are not compared',
    ['an idempotency key with another fingerprint is refused'],
    (inner) => ({
      insert: (draft, key) => inner.insert(draft, key && { ...key, fingerprint: '' }),
    }),
  ),
  broken('all clients share one scope', ['scopes of idempotency keys are apart'], (inner) => ({
    insert: (draft, key) => inner.insert(draft, key && { ...key, scope: '' }),
  })),
  broken('scope and key are one text', ['scopes of idempotency keys are apart'], (inner) => ({
    insert: (draft, key) => inner.insert(draft, key && { ...key, scope: '', key: `${key.scope}${key.key}` }),
  })),
  broken(
    'idempotency keys bind for ever',
    [OVER, 'of 16 inserts with one idempotency key that is over exactly one makes a pet'],
    (inner) => ({
      insert: (draft, key) => inner.insert(draft, key && { ...key, at: 0 }),
    }),
  ),
  broken('the end of an idempotency key is counted in', [OVER], (inner) => ({
    insert: (draft, key) => inner.insert(draft, key && { ...key, at: key.at - 1 }),
  })),
  broken('purge of idempotency keys removes nothing', [PURGE], () => ({
    purgeIdempotencyKeys: async () => 1,
  })),
  broken('purge of idempotency keys removes them early', [PURGE], (inner) => ({
    purgeIdempotencyKeys: (at, limit) => inner.purgeIdempotencyKeys(at + 1, limit),
  })),
  broken(
    'purge of idempotency keys knows no limit',
    ['purge of idempotency keys stops at its limit'],
    (inner) => ({
      purgeIdempotencyKeys: (at) => inner.purgeIdempotencyKeys(at, Infinity),
    }),
  ),
  broken(
    'an idempotency key is looked up, then written',
    [
      RACE,
      'of 16 inserts with one idempotency key that is over exactly one makes a pet',
      'of two requests racing for one idempotency key one is made and the other refused',
    ],
    (inner) => {
      const spent = new Map<string, { readonly key: Idempotency; readonly answer: PetInsertion }>()
      return {
        async insert(draft, key) {
          const found = key && spent.get(key.key)
          if (!key || (found && key.at < found.key.until)) return await inner.insert(draft, key)
          await everybodyElse()
          const answer = await inner.insert(draft)
          spent.set(key.key, { key, answer })
          return answer
        },
      }
    },
  ),
  broken(
    'an idempotency key is kept as it was passed in',
    ['changing an idempotency key that was passed in changes nothing'],
    (inner) => {
      const kept = new Map<string, Idempotency>()
      return {
        async insert(draft, key) {
          const found = key && kept.get(key.key)
          if (key && !found) kept.set(key.key, key)
          return found && found.fingerprint !== key.fingerprint
            ? { kind: 'key-reused' }
            : await inner.insert(draft, key)
        },
      }
    },
  ),
]
