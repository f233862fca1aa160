import { expect } from 'chai'
import { createHash, createHmac } from 'node:crypto'
import type { SessionId } from '../../../src/domain/identity/session.js'
import { createApiKeySecrets, createKeyRing, createSessionKeys } from '../../../src/adapters/keyring/index.js'

const OLD = 'First-passphrase-of-these-tests-0001'
const NEW = 'Second-passphrase-of-these-tests-0002'

const ring = await createKeyRing({ current: NEW, previous: [OLD] })
const keys = createSessionKeys(ring)
const session = 'session-1' as SessionId

// The contract tests of session keys show that successors differ, are the same in every process, and need a known key ID.
describe('session keys', () => {
  it('have a successor that is an HMAC with the server key of the given ID', async () => {
    const key = keys.fresh()
    const old = (await createKeyRing({ current: OLD, previous: [] })).current
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

  it('are hashed as a whole with SHA-256', () => {
    const key = secrets.fresh()
    expect(secrets.digest(key)).to.equal(createHash('sha256').update(key).digest('base64url'))
    expect(secrets.digest(key.toUpperCase())).to.not.equal(secrets.digest(key))
  })
})
