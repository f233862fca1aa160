import { createHash, randomBytes } from 'node:crypto'
import { createKeyRing, createSessionKeys } from '../../../src/adapters/keyring/index.js'
import { sessionKeysLaws } from '../../../src/contracts/index.js'
import type { SessionKeysUnderTest } from '../../../src/contracts/session-keys/session-keys.js'
import type { KeyDigest, SessionKey } from '../../../src/domain/identity/session.js'
import type { SessionKeys } from '../../../src/ports/session-keys.js'
import { describePartLaws, type BrokenPart } from '../describe-laws.js'

const ring = await createKeyRing({
  current: 'Second-passphrase-of-these-tests-0002',
  previous: ['First-passphrase-of-these-tests-0001'],
})
const [current = '', previous = ''] = ring.all.map(({ kid }) => kid)
const kids = [current, previous] as const
const open = () => createSessionKeys(ring)

type Change = (sound: SessionKeys) => Partial<SessionKeys>

const changed = (name: string, breaks: RegExp, change: Change): BrokenPart<SessionKeysUnderTest> => ({
  name,
  breaks,
  open: () => ({ kids, open: () => ({ ...open(), ...change(open()) }) }),
})

const keyOf = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64url') as SessionKey
const digestOf = (text: string) => createHash('sha256').update(text).digest()

/** Creates session keys from a counter that starts again in each process. */
function counted(): () => SessionKey {
  let count = 0
  return () => keyOf(digestOf(String((count += 1))))
}

const broken: readonly BrokenPart<SessionKeysUnderTest>[] = [
  changed('a key of 128 bits is padded', /a thousand new/, () => ({
    fresh: () => keyOf(Buffer.concat([randomBytes(16), Buffer.alloc(16)])),
  })),
  changed('keys are counted', /two processes/, () => ({ fresh: counted() })),
  changed('each process has a separate salt', /the digest/, () => {
    const salt = randomBytes(8).toString('hex')
    return { digest: (key) => digestOf(salt + key).toString('base64url') as KeyDigest }
  }),
  changed('a successor is written in hexadecimal', /a key has/, (sound) => ({
    successor: (...inputs) =>
      Buffer.from(sound.successor(...inputs) ?? '', 'base64url').toString('hex') as SessionKey,
  })),
  changed('the inputs of a successor are concatenated', /a different server/, () => ({
    successor: (kid, key, session, generation) => keyOf(digestOf(`${kid}${key}${session}${generation}`)),
  })),
  changed('the current server key replaces an unknown server key', /an unknown|is unknown/, (sound) => ({
    successor: (kid, ...rest) => sound.successor(kid, ...rest) ?? sound.successor(current, ...rest),
  })),
  changed('every tenth generation starts again', /a chain of/, (sound) => ({
    successor: (kid, key, session, generation) =>
      generation % 10 === 0
        ? keyOf(digestOf(`${kid} ${session}`))
        : sound.successor(kid, key, session, generation),
  })),
]

describePartLaws('session keys', {
  laws: sessionKeysLaws,
  sound: { 'the ring of keys': () => ({ kids, open }) },
  broken,
})
