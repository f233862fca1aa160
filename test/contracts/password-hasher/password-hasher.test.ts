import { createHash } from 'node:crypto'
import { createScryptHasher } from '../../../src/adapters/scrypt/index.js'
import { hasherLaws } from '../../../src/contracts/index.js'
import type { Password, PasswordHash } from '../../../src/domain/identity/password.js'
import type { PasswordHasher } from '../../../src/ports/passwords.js'
import { PlantedError, describePartLaws, type BrokenPart } from '../describe-laws.js'

const scrypt = createScryptHasher({ cost: { logN: 10, r: 1, p: 1 }, concurrency: 2, queue: 64 })
const unbounded = createScryptHasher({ cost: { logN: 10, r: 1, p: 1 }, concurrency: 2, queue: 1_000_000 })

const bug = (name: string, breaks: RegExp, open: () => PasswordHasher): BrokenPart<PasswordHasher> => ({
  name,
  breaks,
  open,
})

const broken: readonly BrokenPart<PasswordHasher>[] = [
  bug('the second verification of a hash fails', /verifies with its password every/, () => {
    const seen = new Set<unknown>()
    return changed({
      verify: async (password, hash) =>
        !seen.has(hash) && (seen.add(hash), await scrypt.verify(password, hash)),
    })
  }),
  bug('only the first 72 bytes are compared', /with any other/, () =>
    seeing((password) => password.slice(0, 72)),
  ),
  bug('every hash has the same salt', /two hashes/, () => digesting(() => 'salt')),
  bug('a hash contains the password', /not reveal its/, () =>
    digesting((password) => Buffer.from(password).toString('base64')),
  ),
  bug('a missing password matches a missing hash', /without a password|verify returns false/, () =>
    changed({
      verify: async (password, hash) =>
        password === undefined && hash === undefined ? true : await scrypt.verify(password, hash),
    }),
  ),
  bug('an unknown format throws', /not a hash matches|truncated hash matches/, () =>
    changed({
      async verify(password, hash) {
        if (hash !== undefined && scrypt.recognise(hash).kind === 'unknown')
          throw new PlantedError('an unknown format')
        return await scrypt.verify(password, hash)
      },
    }),
  ),
  bug('the end of a hash is ignored', /a truncated/, () => {
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
  }),
  bug('no hash is recognised', /a new hash/, () => changed({ recognise: () => ({ kind: 'unknown' }) })),
  bug('every text is recognised', /not a hash is/, () =>
    changed({ recognise: (text) => ({ kind: 'hash', hash: text as PasswordHash }) }),
  ),
  bug('a hash with any cost is accepted', /a hash with/, () =>
    changed({
      recognise: (text) =>
        text.startsWith('$2b$31$') ? { kind: 'hash', hash: text as PasswordHash } : scrypt.recognise(text),
    }),
  ),
  bug('every bcrypt hash is outdated', /not reported as outdated/, () =>
    changed({ isOutdated: (hash, password) => hash.startsWith('$2') || scrypt.isOutdated(hash, password) }),
  ),
  bug('the unnormalized password is ignored', /a bcrypt hash verifies/, () =>
    changed({ verify: (password, hash) => scrypt.verify(password, hash) }),
  ),
  bug('concurrent calls share one result', /each of 16/, () => {
    let running: Promise<boolean> | undefined
    return changed({
      async verify(password, hash) {
        running ??= scrypt.verify(password, hash).finally(() => {
          running = undefined
        })
        return await running
      },
    })
  }),
  bug('the queue has no limit', /of a thousand/, () => unbounded),
]

describePartLaws('password hasher', {
  laws: hasherLaws,
  sound: { 'the scrypt hasher': () => scrypt },
  broken,
})

function changed(change: Partial<PasswordHasher>): PasswordHasher {
  return { ...scrypt, ...change }
}

/** A hasher that uses only part of each password. */
function seeing(part: (password: string) => string): PasswordHasher {
  const seen = (password: Password | undefined) =>
    password === undefined ? undefined : (part(password) as Password)
  return changed({
    hash: (password) => scrypt.hash(part(password) as Password),
    verify: (password, hash) => scrypt.verify(seen(password), hash),
  })
}

/** A hasher that stores fast digests with a weak salt. */
function digesting(saltOf: (password: string) => string): PasswordHasher {
  const digest = (text: string) => createHash('sha256').update(text).digest('hex')
  return changed({
    hash: async (password) => `${saltOf(password)}.${digest(password)}` as PasswordHash,
    verify: async (password, hash) => password !== undefined && hash?.split('.')[1] === digest(password),
  })
}
