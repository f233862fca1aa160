import { createHash } from 'node:crypto'
import { createScryptHasher } from '../../../src/adapters/scrypt/index.js'
import { hasherLaws } from '../../../src/contracts/index.js'
import type { Password, PasswordHash } from '../../../src/domain/identity/password.js'
import type { PasswordHasher } from '../../../src/ports/password-hasher.js'
import { describePartLaws, PartFailure, type BrokenPart } from '../describe-part-laws.js'

const scrypt = createScryptHasher({ cost: { logN: 10, r: 1, p: 1 }, concurrency: 2, queue: 64 })
const unbounded = createScryptHasher({ cost: { logN: 10, r: 1, p: 1 }, concurrency: 2, queue: 1_000_000 })

const VERIFIES = 'a hash verifies with its password, as often as it is asked'
const NO_OTHER = 'a hash verifies with no other password, however alike'
const DIFFER = 'two hashes of one password differ'
const NO_HASH = 'a text that is no hash never verifies and never throws'
const NOTHING = 'without a password or without a hash nothing verifies, and nothing throws'
const CUT = 'a hash that was cut short never verifies and never throws'
const NEW_HASH = 'a new hash is recognised, and not outdated'
const ENDLESS = 'a hash of extreme cost is not accepted and never verifies'
const OWN_ANSWER = 'of 16 verifications at once each gets its own answer'
const THOUSAND = 'of a thousand verifications at once some are refused as overloaded, and it recovers'

const broken: readonly BrokenPart<PasswordHasher>[] = [
  {
    name: 'the second verification of a hash fails',
    breaks: [VERIFIES],
    open: () => {
      const seen = new Set<unknown>()
      return changed({
        verify: async (password, hash) =>
          !seen.has(hash) && (seen.add(hash), await scrypt.verify(password, hash)),
      })
    },
  },
  {
    name: 'no more than 72 bytes are looked at',
    breaks: [NO_OTHER],
    open: () => seeing((password) => password.slice(0, 72)),
  },
  { name: 'the salt is the same for all', breaks: [DIFFER], open: () => digesting(() => 'salt') },
  {
    name: 'the password is in the hash',
    breaks: ['a hash does not show its password'],
    open: () => digesting((password) => Buffer.from(password).toString('base64')),
  },
  {
    name: 'nothing is compared with nothing',
    breaks: [NOTHING],
    open: () =>
      changed({
        verify: async (password, hash) =>
          password === undefined && hash === undefined ? true : await scrypt.verify(password, hash),
      }),
  },
  {
    name: 'an unknown format throws',
    breaks: [NO_HASH, CUT],
    open: () =>
      changed({
        async verify(password, hash) {
          if (hash !== undefined && scrypt.recognise(hash).kind === 'unknown')
            throw new PartFailure('an unknown format')
          return await scrypt.verify(password, hash)
        },
      }),
  },
  {
    name: 'the end of a hash is not looked at',
    breaks: [CUT],
    open: () => {
      const known: PasswordHash[] = []
      return changed({
        async hash(password) {
          const hash = await scrypt.hash(password)
          known.push(hash)
          return hash
        },
        verify: async (password, hash) =>
          await scrypt.verify(
            password,
            known.find((one) => hash && one.startsWith(hash)),
          ),
      })
    },
  },
  {
    name: 'no hash is recognised',
    breaks: [NEW_HASH],
    open: () => changed({ recognise: () => ({ kind: 'unknown' }) }),
  },
  {
    name: 'every text is recognised',
    breaks: ['a text that is no hash is not recognised'],
    open: () => changed({ recognise: (text) => ({ kind: 'hash', hash: text as PasswordHash }) }),
  },
  {
    name: 'a hash is accepted whatever it costs',
    breaks: [ENDLESS],
    open: () =>
      changed({
        recognise: (text) =>
          text.startsWith('$2b$31$') ? { kind: 'hash', hash: text as PasswordHash } : scrypt.recognise(text),
      }),
  },
  {
    name: 'every bcrypt hash is replaced by the login',
    breaks: ['a hash that has not seen the end of a password is not outdated by it'],
    open: () =>
      changed({ isOutdated: (hash, password) => hash.startsWith('$2') || scrypt.isOutdated(hash, password) }),
  },
  {
    name: 'calls at once share one answer',
    breaks: [OWN_ANSWER],
    open: () => {
      let running: Promise<boolean> | undefined
      return changed({
        async verify(password, hash) {
          running ??= scrypt.verify(password, hash).finally(() => {
            running = undefined
          })
          return await running
        },
      })
    },
  },
  { name: 'the queue has no end', breaks: [THOUSAND], open: () => unbounded },
]

describePartLaws('password hasher', {
  laws: hasherLaws,
  sound: { 'the scrypt hasher': () => scrypt },
  broken,
})

/** The scrypt hasher with other functions in some places. */
function changed(change: Partial<PasswordHasher>): PasswordHasher {
  return { ...scrypt, ...change }
}

/** A hasher that does not see all of a password. */
function seeing(part: (password: string) => string): PasswordHasher {
  const seen = (password: Password | undefined) =>
    password === undefined ? undefined : (part(password) as Password)
  return changed({
    hash: (password) => scrypt.hash(part(password) as Password),
    verify: (password, hash) => scrypt.verify(seen(password), hash),
  })
}

/** A hasher of digests, with what it takes for a salt before them. */
function digesting(saltOf: (password: string) => string): PasswordHasher {
  const digest = (text: string) => createHash('sha256').update(text).digest('hex')
  return changed({
    hash: async (password) => `${saltOf(password)}.${digest(password)}` as PasswordHash,
    verify: async (password, hash) => password !== undefined && hash?.split('.')[1] === digest(password),
  })
}
