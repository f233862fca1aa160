import { expect } from 'chai'
import { createHmac, createHash } from 'node:crypto'
import {
  createKeyRing as ringOf,
  createApiKeySecrets,
  createSessionKeys,
} from '../../../src/adapters/keyring/index.js'
import type { TokenUse } from '../../../src/ports/tokens.js'
import type { SessionId } from '../../../src/domain/identity/session.js'

const FIRST = 'First-passphrase-of-these-tests-0001'
const SECOND = 'Second-passphrase-of-these-tests-0002'
const THIRD = 'Third-passphrase-of-these-tests-0003'
const USES = ['HS512', 'EdDSA', 'v4.public'] as const

/** Derives a key ring as the service does, but at a fraction of the cost. */
const createKeyRing = (current: string, previous: readonly string[] = [], use?: TokenUse) =>
  ringOf({ current, previous }, use, { logN: 4 })
const hex = (bytes: Uint8Array | ArrayBuffer) => Buffer.from(bytes as Uint8Array).toString('hex')

describe('the key ring', () => {
  it('derives keys without blocking the event loop', async () => {
    let turns = 0
    const turning = setInterval(() => (turns += 1), 0)
    await Promise.all(['a', 'b', 'c', 'd'].map((one) => ringOf({ current: FIRST + one, previous: [] })))
    clearInterval(turning)
    expect(turns).to.be.greaterThan(2)
  })

  it('lists the current key first, then the previous keys in order, with one key per passphrase', async () => {
    const rings = await Promise.all([SECOND, THIRD, FIRST].map((one) => createKeyRing(one)))
    const ring = await createKeyRing(SECOND, [THIRD, SECOND, FIRST, THIRD])
    expect(ring.current).to.equal(ring.all[0])
    expect(ring.all.map(({ kid }) => kid)).to.deep.equal(rings.map(({ current }) => current.kid))
  })
})

describe('the key rings for the kinds of token', () => {
  const ofAll = async () => await Promise.all(USES.map((use) => createKeyRing(FIRST, [SECOND], use)))

  it('have the same key IDs and keys in every release, because a change would end all sessions', async () => {
    const keys = await Promise.all(
      USES.map(async (use) => (await ringOf({ current: FIRST, previous: [] }, use)).current),
    )
    expect(keys.map(({ kid }) => kid)).to.deep.equal(['imUoR46YW3v7', 'zfVP6-bJIixf', 'jm88uGXwSPCR'])
    const head = '302e020100300506032b657004220420'
    expect(keys.map(({ tokenSecret }) => hex(tokenSecret))).to.deep.equal([
      '2ec230d28c8c3ab8d2c8655313ce6d896f87c9421b32917c0b0ffef89edd0ce5' +
        '4b36f8a96b2301ae31cb3f6bc360e8a7ef1bd78ce78bb718d650287ca2a1fe62',
      `${head}b9da5f9118bf9c9d84da433b49a453c8d3c429d34d11cf07f74c51a3c84e1481`,
      `${head}1312d7555a8c692b77595790ce9caa7035d9063f481cdb22e30a0af897fad7a8`,
    ])
  })

  it('all have the same session secret', async () => {
    const secrets = (await ofAll()).map(({ current }) => hex(current.sessionSecret))
    expect(new Set(secrets).size).to.equal(1)
  })
})

const ring = await createKeyRing(SECOND, [FIRST])
const keys = createSessionKeys(ring)
const session = 'session-1' as SessionId

// The contract tests of session keys show that successors differ, are the same in every process, and need a known key ID.
describe('session keys', () => {
  it('have a successor that is an HMAC with the server key of the given ID', async () => {
    const key = keys.fresh()
    const old = (await createKeyRing(FIRST)).current
    for (const { kid, sessionSecret } of [ring.current, old]) {
      const mac = createHmac('sha256', sessionSecret).update(JSON.stringify([key, session, 7]))
      const expected = mac.digest('base64url')
      expect(keys.successor(kid, key, session, 7))
        .to.equal(expected)
        .and.match(/^[A-Za-z0-9_-]{43}$/)
    }
  })
})

describe('API key secrets', () => {
  const secrets = createApiKeySecrets()

  it('are recognizable, contain 256 random bits, and are all different', () => {
    const fresh = Array.from({ length: 1_000 }, () => secrets.fresh())
    for (const key of fresh) expect(key).to.match(/^kennel_[A-Za-z0-9_-]{43}$/)
    expect(new Set(fresh)).to.have.lengthOf(1_000)
  })

  it('are hashed with SHA-256, including their prefix', () => {
    const key = secrets.fresh()
    expect(secrets.digest(key)).to.equal(createHash('sha256').update(key).digest('base64url'))
    expect(secrets.digest(key.toUpperCase())).to.not.equal(secrets.digest(key))
  })
})
