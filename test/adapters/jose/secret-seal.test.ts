import { expect } from 'chai'
import { CompactEncrypt } from 'jose'
import { createSecretSeal } from '../../../src/adapters/jose/index.js'
import type { AccountId } from '../../../src/domain/identity/account.js'
import type { FactorSecret, SealedSecret } from '../../../src/domain/identity/second-factor.js'

const [ANN, BOB] = [1 as AccountId, 2 as AccountId]
const SECRET = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ' as FactorSecret
const keyOf = (kid: string, byte: number) => ({ kid, secret: new Uint8Array(32).fill(byte) })
const [OLD, NEW] = [keyOf('old', 1), keyOf('new', 2)]

describe('a sealed secret', () => {
  const seal = createSecretSeal({ keys: [NEW, OLD], currentKid: 'new' })
  const before = createSecretSeal({ keys: [OLD], currentKid: 'old' })

  it('can be opened for its account, and does not contain the secret', async () => {
    const sealed = await seal.seal(SECRET, ANN)
    expect(await seal.open(sealed, ANN)).to.deep.equal({ secret: SECRET, isCurrent: true })
    expect(sealed).not.to.include(SECRET)
    expect(Buffer.from(sealed.replaceAll('.', ''), 'base64url').toString('latin1')).not.to.include(SECRET)
  })

  it('cannot be opened for another account', async () => {
    expect(await seal.open(await seal.seal(SECRET, ANN), BOB)).to.equal(undefined)
  })

  it('can be opened with a previous key until the key is removed', async () => {
    const sealed = await before.seal(SECRET, ANN)
    expect(await seal.open(sealed, ANN)).to.deep.equal({ secret: SECRET, isCurrent: false })
    const after = createSecretSeal({ keys: [NEW], currentKid: 'new' })
    expect(await after.open(sealed, ANN)).to.equal(undefined)
  })

  it('cannot be opened if a character has changed, or if the text is not a sealed secret', async () => {
    const sealed = await seal.seal(SECRET, ANN)
    for (let place = 0; place < sealed.length; place += 1) {
      const other = sealed[place] === 'A' ? 'B' : 'A'
      const changed = `${sealed.slice(0, place)}${other}${sealed.slice(place + 1)}` as SealedSecret
      const opened = await seal.open(changed, ANN)
      // The last character of a part has unused bits, so a different last character may decode to the same bytes.
      if (opened) expect(opened).to.deep.equal({ secret: SECRET, isCurrent: true })
    }
    for (const text of ['', '.', '....', 'x', `${sealed}.`, sealed.slice(1), SECRET])
      expect(await seal.open(text as SealedSecret, ANN), text).to.equal(undefined)
  })

  it('cannot be opened if it uses a different algorithm, even with the correct key', async () => {
    const encrypting = new CompactEncrypt(new TextEncoder().encode(SECRET))
    encrypting.setProtectedHeader({ alg: 'A256GCMKW', enc: 'A256GCM', kid: 'new', sub: '1' })
    const foreign = await encrypting.encrypt(NEW.secret)
    expect(await seal.open(foreign as SealedSecret, ANN)).to.equal(undefined)
  })

  it('cannot be created with an unusable key ring', () => {
    const short = { kid: 'new', secret: new Uint8Array(31) }
    expect(() => createSecretSeal({ keys: [short], currentKid: 'new' })).to.throw(RangeError, '32 bytes')
    expect(() => createSecretSeal({ keys: [OLD], currentKid: 'new' })).to.throw(RangeError, 'current kid')
  })
})
