import { expect } from 'chai'
import { createHmac, createPrivateKey, hkdfSync, scryptSync } from 'node:crypto'
import { createKeyRing as ringOf, type TokenUse } from '../../../src/adapters/keyring/index.js'

const FIRST = 'First-passphrase-of-these-tests-0001'
const SECOND = 'Second-passphrase-of-these-tests-0002'
const THIRD = 'Third-passphrase-of-these-tests-0003'

type Passphrases = Parameters<typeof ringOf>[0]

/** The same ring at a fraction of its cost. */
const createKeyRing = (passphrases: Passphrases, use?: TokenUse) => ringOf(passphrases, use, { logN: 4 })

describe('the key ring', () => {
  it('derives the same keys every time', async () => {
    const ring = () => createKeyRing({ current: FIRST, previous: [SECOND] })
    expect(await ring()).to.deep.equal(await ring())
  })

  it('derives by scrypt, N = 2^15, and then by HKDF with SHA-512 and one label a use', async () => {
    const { current } = await ringOf({ current: FIRST, previous: [] })
    const root = scryptSync(FIRST, 'kennel/2/passphrase', 64, { N: 2 ** 15, r: 8, p: 1, maxmem: 2 ** 26 })
    const expected = (label: string, bytes: number) =>
      Buffer.from(hkdfSync('sha512', root, '', label, bytes)).toString('hex')
    expect(Buffer.from(current.kid, 'base64url').toString('hex')).to.equal(expected('kennel/2/kid', 9))
    expect(Buffer.from(current.tokenSecret).toString('hex')).to.equal(expected('kennel/2/token/HS512', 64))
    expect(Buffer.from(current.sessionSecret).toString('hex')).to.equal(
      expected('kennel/2/session-successor', 32),
    )
  })

  it('tells nothing of a passphrase in less time than scrypt takes: another cost, another name', async () => {
    const [dear, cheap] = await Promise.all(
      [15, 14].map((logN) => ringOf({ current: FIRST, previous: [] }, 'HS512', { logN })),
    )
    expect(dear?.current.kid).to.not.equal(cheap?.current.kid)
    const fast = Buffer.from(hkdfSync('sha512', FIRST, '', 'kennel/2/kid', 9)).toString('base64url')
    expect(dear?.current.kid).to.not.equal(fast)
  })

  it('is derived off the event loop', async () => {
    let turns = 0
    const turning = setInterval(() => (turns += 1), 0)
    await Promise.all(
      Array.from({ length: 8 }, (_, at) => ringOf({ current: `${FIRST}${String(at)}`, previous: [] })),
    )
    clearInterval(turning)
    expect(turns).to.be.greaterThan(2)
  })

  it('gives short public names and long secrets', async () => {
    const { current } = await createKeyRing({ current: FIRST, previous: [] })
    expect(current.kid).to.match(/^[A-Za-z0-9_-]{12}$/)
    expect(current.tokenSecret).to.have.lengthOf(64)
    expect(current.sessionSecret).to.have.lengthOf(32)
  })

  it('gives other keys for a passphrase that differs in one character', async () => {
    const one = (await createKeyRing({ current: FIRST, previous: [] })).current
    const other = (await createKeyRing({ current: `${FIRST} `, previous: [] })).current
    expect(other.kid).to.not.equal(one.kid)
    expect(other.tokenSecret).to.not.deep.equal(one.tokenSecret)
    expect(other.sessionSecret).to.not.deep.equal(one.sessionSecret)
  })

  it('puts the current keys first and keeps the order of the previous ones', async () => {
    const kid = async (passphrase: string) =>
      (await createKeyRing({ current: passphrase, previous: [] })).current.kid
    const kids = await Promise.all([SECOND, THIRD, FIRST].map(kid))
    const ring = await createKeyRing({ current: SECOND, previous: [THIRD, FIRST] })
    expect(ring.current).to.equal(ring.all[0])
    expect(ring.all.map((keys) => keys.kid)).to.deep.equal(kids)
  })

  it('counts a passphrase once, however often it occurs', async () => {
    const ring = await createKeyRing({ current: FIRST, previous: [SECOND, FIRST, SECOND] })
    expect(ring.all).to.have.lengthOf(2)
    expect(ring.all[0]).to.equal(ring.current)
  })

  it('keeps the name apart from the secrets', async () => {
    const { current } = await createKeyRing({ current: FIRST, previous: [] })
    const kid = Buffer.from(current.kid, 'base64url')
    expect(Buffer.from(current.tokenSecret).includes(kid)).to.equal(false)
    expect(Buffer.from(current.sessionSecret).includes(kid)).to.equal(false)
    const mac = createHmac('sha512', current.tokenSecret).update('').digest()
    expect(mac.includes(kid)).to.equal(false)
  })
})

describe('the key ring of another use', () => {
  const USES = ['HS512', 'EdDSA', 'v4.public'] as const
  const ofUse = async (use: TokenUse, current = FIRST) =>
    await createKeyRing({ current, previous: [SECOND] }, use)
  const ofAll = async () => await Promise.all(USES.map(async (use) => await ofUse(use)))
  const atFullCost = async (use: TokenUse) => (await ringOf({ current: FIRST, previous: [] }, use)).current

  it('is named for good: a changed name would end every login', async () => {
    const kids = (await Promise.all(USES.map(atFullCost))).map(({ kid }) => kid)
    expect(kids).to.deep.equal(['imUoR46YW3v7', 'zfVP6-bJIixf', 'jm88uGXwSPCR'])
  })

  it('has its keys for good', async () => {
    const keys = await Promise.all(USES.map(atFullCost))
    const [hmac, ...ed25519] = keys.map(({ tokenSecret }) => Buffer.from(tokenSecret).toString('hex'))
    expect(hmac).to.equal(
      '2ec230d28c8c3ab8d2c8655313ce6d896f87c9421b32917c0b0ffef89edd0ce5' +
        '4b36f8a96b2301ae31cb3f6bc360e8a7ef1bd78ce78bb718d650287ca2a1fe62',
    )
    const head = '302e020100300506032b657004220420'
    expect(ed25519).to.deep.equal([
      `${head}b9da5f9118bf9c9d84da433b49a453c8d3c429d34d11cf07f74c51a3c84e1481`,
      `${head}1312d7555a8c692b77595790ce9caa7035d9063f481cdb22e30a0af897fad7a8`,
    ])
  })

  it('is that of HS512 where no use is told', async () => {
    expect(await createKeyRing({ current: FIRST, previous: [SECOND] })).to.deep.equal(await ofUse('HS512'))
  })

  it('shares no name and no key with any other, nor with another passphrase', async () => {
    const all = (await ofAll()).flatMap((ring) => ring.all)
    expect(all).to.have.lengthOf(6)
    expect(new Set(all.map(({ kid }) => kid)).size).to.equal(6)
    const tails = all.map(({ tokenSecret }) => Buffer.from(tokenSecret.slice(-32)).toString('hex'))
    expect(new Set(tails).size).to.equal(6)
    const stretches = all.map(({ tokenSecret }) => Buffer.from(tokenSecret).toString('hex'))
    for (const tail of tails) {
      expect(stretches.filter((stretch) => stretch.includes(tail))).to.have.lengthOf(1)
    }
  })

  it('holds private keys that node reads as Ed25519', async () => {
    for (const use of ['EdDSA', 'v4.public'] as const) {
      for (const { tokenSecret } of (await ofUse(use)).all) {
        const key = createPrivateKey({ key: Buffer.from(tokenSecret), format: 'der', type: 'pkcs8' })
        expect(key.asymmetricKeyType).to.equal('ed25519')
      }
    }
  })

  it('makes the same session keys of a passphrase, whatever signs the tokens', async () => {
    const secrets = (await ofAll()).map(({ current }) => Buffer.from(current.sessionSecret).toString('hex'))
    expect(new Set(secrets).size).to.equal(1)
  })

  it('keeps the names apart from the secrets', async () => {
    for (const use of USES) {
      const { kid, tokenSecret, sessionSecret } = (await ofUse(use)).current
      expect(kid).to.match(/^[A-Za-z0-9_-]{12}$/)
      const bytes = Buffer.from(kid, 'base64url')
      expect(Buffer.concat([tokenSecret, sessionSecret]).includes(bytes)).to.equal(false)
    }
  })
})
