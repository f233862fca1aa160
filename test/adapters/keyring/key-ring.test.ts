import { expect } from 'chai'
import { createHmac, createPrivateKey, hkdfSync } from 'node:crypto'
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

describe('the key ring of another use', () => {
  const USES = ['HS512', 'EdDSA', 'v4.public'] as const
  const ofUse = (use: (typeof USES)[number], current = FIRST) =>
    createKeyRing({ current, previous: [SECOND] }, use)

  it('is named for good: a changed name would end every login', () => {
    const kids = USES.map((use) => ofUse(use).current.kid)
    expect(kids).to.deep.equal(['eQKFqhfJKN9a', 'F-VEepP5fAwp', '6kcSSJtYLKYQ'])
  })

  it('has its keys for good', () => {
    const [hmac, ...ed25519] = USES.map((use) => Buffer.from(ofUse(use).current.tokenSecret).toString('hex'))
    expect(hmac).to.equal(
      '75d970a0109f6be242b8cae5cc3d6beed27a2d1f4370c7625955d156ccaccc20' +
        '435cbdb97850e3b98e8807a974c35aec61eca24874247d3efe2067036ab5aced',
    )
    const head = '302e020100300506032b657004220420'
    expect(ed25519).to.deep.equal([
      `${head}7a1ff68a5b658f93238ffb44784697c5d5b50fdc79705133f29fef2e00481db8`,
      `${head}9f2bb861ea1bc20b1030f2b565d5b9b664f383f99040dec4d1cd6503c1050ff7`,
    ])
  })

  it('is that of HS512 where no use is told', () => {
    expect(createKeyRing({ current: FIRST, previous: [SECOND] })).to.deep.equal(ofUse('HS512'))
  })

  it('shares no name and no key with any other, nor with another passphrase', () => {
    const all = USES.flatMap((use) => ofUse(use).all)
    expect(all).to.have.lengthOf(6)
    expect(new Set(all.map(({ kid }) => kid)).size).to.equal(6)
    const tails = all.map(({ tokenSecret }) => Buffer.from(tokenSecret.slice(-32)).toString('hex'))
    expect(new Set(tails).size).to.equal(6)
    const stretches = all.map(({ tokenSecret }) => Buffer.from(tokenSecret).toString('hex'))
    for (const tail of tails) {
      expect(stretches.filter((stretch) => stretch.includes(tail))).to.have.lengthOf(1)
    }
  })

  it('holds private keys that node reads as Ed25519', () => {
    for (const use of ['EdDSA', 'v4.public'] as const) {
      for (const { tokenSecret } of ofUse(use).all) {
        const key = createPrivateKey({ key: Buffer.from(tokenSecret), format: 'der', type: 'pkcs8' })
        expect(key.asymmetricKeyType).to.equal('ed25519')
      }
    }
  })

  it('makes the same session keys of a passphrase, whatever signs the tokens', () => {
    const secrets = USES.map((use) => Buffer.from(ofUse(use).current.sessionSecret).toString('hex'))
    expect(new Set(secrets).size).to.equal(1)
  })

  it('keeps the names apart from the secrets', () => {
    for (const use of USES) {
      const { kid, tokenSecret, sessionSecret } = ofUse(use).current
      expect(kid).to.match(/^[A-Za-z0-9_-]{12}$/)
      const bytes = Buffer.from(kid, 'base64url')
      expect(Buffer.concat([tokenSecret, sessionSecret]).includes(bytes)).to.equal(false)
    }
  })
})
