import { expect } from 'chai'
import { createHmac, hkdfSync } from 'node:crypto'
import { createKeyRing } from '../../../src/adapters/keyring/index.js'

const FIRST = 'First-passphrase-of-these-tests-0001'
const SECOND = 'Second-passphrase-of-these-tests-0002'
const THIRD = 'Third-passphrase-of-these-tests-0003'

describe('the key ring', () => {
  it('derives the same keys every time', () => {
    const ring = () => createKeyRing({ current: FIRST, previous: [SECOND] })
    expect(ring()).to.deep.equal(ring())
  })

  it('derives by HKDF with SHA-512 and one label a use', () => {
    const { current } = createKeyRing({ current: FIRST, previous: [] })
    const expected = (label: string, bytes: number) =>
      Buffer.from(hkdfSync('sha512', FIRST, '', label, bytes)).toString('hex')
    expect(Buffer.from(current.kid, 'base64url').toString('hex')).to.equal(expected('kennel/1/kid', 9))
    expect(Buffer.from(current.tokenSecret).toString('hex')).to.equal(expected('kennel/1/token/HS512', 64))
    expect(Buffer.from(current.sessionSecret).toString('hex')).to.equal(
      expected('kennel/1/session-successor', 32),
    )
  })

  it('gives short public names and long secrets', () => {
    const { current } = createKeyRing({ current: FIRST, previous: [] })
    expect(current.kid).to.match(/^[A-Za-z0-9_-]{12}$/)
    expect(current.tokenSecret).to.have.lengthOf(64)
    expect(current.sessionSecret).to.have.lengthOf(32)
  })

  it('gives other keys for a passphrase that differs in one character', () => {
    const one = createKeyRing({ current: FIRST, previous: [] }).current
    const other = createKeyRing({ current: `${FIRST} `, previous: [] }).current
    expect(other.kid).to.not.equal(one.kid)
    expect(other.tokenSecret).to.not.deep.equal(one.tokenSecret)
    expect(other.sessionSecret).to.not.deep.equal(one.sessionSecret)
  })

  it('puts the current keys first and keeps the order of the previous ones', () => {
    const kid = (passphrase: string) => createKeyRing({ current: passphrase, previous: [] }).current.kid
    const ring = createKeyRing({ current: SECOND, previous: [THIRD, FIRST] })
    expect(ring.current.kid).to.equal(kid(SECOND))
    expect(ring.all.map((keys) => keys.kid)).to.deep.equal([kid(SECOND), kid(THIRD), kid(FIRST)])
  })

  it('counts a passphrase once, however often it occurs', () => {
    const ring = createKeyRing({ current: FIRST, previous: [SECOND, FIRST, SECOND] })
    expect(ring.all).to.have.lengthOf(2)
    expect(ring.all[0]).to.equal(ring.current)
  })

  it('keeps the name apart from the secrets', () => {
    const { current } = createKeyRing({ current: FIRST, previous: [] })
    const kid = Buffer.from(current.kid, 'base64url')
    expect(Buffer.from(current.tokenSecret).includes(kid)).to.equal(false)
    expect(Buffer.from(current.sessionSecret).includes(kid)).to.equal(false)
    const mac = createHmac('sha512', current.tokenSecret).update('').digest()
    expect(mac.includes(kid)).to.equal(false)
  })
})
