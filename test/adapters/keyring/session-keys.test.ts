import { expect } from 'chai'
import { createHash, createHmac } from 'node:crypto'
import type { SessionId, SessionKey } from '../../../src/domain/identity/session.js'
import { createApiKeySecrets, createKeyRing, createSessionKeys } from '../../../src/adapters/keyring/index.js'

const OLD = 'First-passphrase-of-these-tests-0001'
const NEW = 'Second-passphrase-of-these-tests-0002'

const ring = await createKeyRing({ current: NEW, previous: [OLD] })
const keys = createSessionKeys(ring)
const kid = ring.current.kid
const session = 'session-1' as SessionId

describe('session keys', () => {
  it('are 10,000 different ones of 256 bit', () => {
    const fresh = Array.from({ length: 10_000 }, () => keys.fresh())
    expect(new Set(fresh)).to.have.lengthOf(10_000)
    for (const key of fresh) expect(Buffer.from(key, 'base64url')).to.have.lengthOf(32)
  })

  it('are digested by SHA-256, base64url', () => {
    const key = keys.fresh()
    expect(keys.digest(key)).to.equal(createHash('sha256').update(key).digest('base64url'))
  })

  it('have one successor, the same in every process with the passphrase', async () => {
    const key = keys.fresh()
    const elsewhere = createSessionKeys(await createKeyRing({ current: NEW, previous: [] }))
    expect(keys.successor(kid, key, session, 2)).to.equal(elsewhere.successor(kid, key, session, 2))
  })

  it('have a successor made with the server key of that kid', async () => {
    const key = keys.fresh()
    const old = (await createKeyRing({ current: OLD, previous: [] })).current
    const expected = createHmac('sha256', old.sessionSecret)
      .update(JSON.stringify([key, session, 7]))
      .digest('base64url')
    expect(keys.successor(old.kid, key, session, 7)).to.equal(expected)
  })

  it('have a successor that looks like a fresh one', () => {
    expect(keys.successor(kid, keys.fresh(), session, 2)).to.match(/^[A-Za-z0-9_-]{43}$/)
  })

  it('have another successor for another key, session, generation or kid', async () => {
    const key = keys.fresh()
    const oldKid = (await createKeyRing({ current: OLD, previous: [] })).current.kid
    const successors = [
      keys.successor(kid, key, session, 2),
      keys.successor(kid, keys.fresh(), session, 2),
      keys.successor(kid, key, 'session-2' as SessionId, 2),
      keys.successor(kid, key, session, 3),
      keys.successor(oldKid, key, session, 2),
    ]
    expect(new Set(successors)).to.have.lengthOf(5)
  })

  it('do not mix up where the key ends and the session begins', () => {
    const one = keys.successor(kid, 'ab' as SessionKey, 'c' as SessionId, 12)
    const other = keys.successor(kid, 'a' as SessionKey, 'bc' as SessionId, 12)
    const third = keys.successor(kid, 'ab' as SessionKey, 'c1' as SessionId, 2)
    expect(new Set([one, other, third])).to.have.lengthOf(3)
  })

  it('have no successor under a kid that is not in the ring', () => {
    expect(keys.successor('another', keys.fresh(), session, 2)).to.equal(undefined)
    expect(keys.successor('__proto__', keys.fresh(), session, 2)).to.equal(undefined)
  })
})

describe('API key secrets', () => {
  const secrets = createApiKeySecrets()

  it('are recognisable, of 256 random bits, and different', () => {
    const fresh = Array.from({ length: 1_000 }, () => secrets.fresh())
    for (const key of fresh) expect(key).to.match(/^kennel_[A-Za-z0-9_-]{43}$/)
    expect(new Set(fresh)).to.have.lengthOf(1_000)
  })

  it('are digested whole, by SHA-256', () => {
    const key = secrets.fresh()
    expect(secrets.digest(key)).to.equal(createHash('sha256').update(key).digest('base64url'))
    expect(secrets.digest(key.toUpperCase())).to.not.equal(secrets.digest(key))
  })
})
