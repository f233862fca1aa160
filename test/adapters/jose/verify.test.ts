import { expect } from 'chai'
import type { TokenSigner } from '../../../src/ports/token-signer.js'
import { ACCESS, ISSUED, KEY, NOW, OLD_KEY, openSigner, REFRESH } from './forge.js'

const LEEWAY = 5

/** At these seconds after the token was issued. */
function at(seconds: number): number {
  return (ISSUED + seconds) * 1000
}

async function tokenOf(signer: TokenSigner, claims = ACCESS, kid = KEY.kid): Promise<string> {
  const token = await signer.sign(claims, kid)
  expect(token).to.be.a('string')
  return token ?? ''
}

for (const cacheSize of [0, 100]) {
  describe(`the jose signer, verifying what it signed (remembering ${cacheSize})`, () => {
    let signer: TokenSigner
    beforeEach(async () => {
      signer = await openSigner({ cacheSize })
    })

    it('gives the claims back', async () => {
      for (const claims of [ACCESS, REFRESH]) {
        const token = await tokenOf(signer, claims)
        for (const time of [NOW, NOW + 1]) {
          expect(await signer.verify(claims.kind, token, time)).to.deep.equal({ kind: 'valid', claims })
        }
      }
    })

    it('takes the token of an earlier passphrase', async () => {
      const verification = await signer.verify('access', await tokenOf(signer, ACCESS, OLD_KEY.kid), NOW)
      expect(verification).to.deep.equal({ kind: 'valid', claims: ACCESS })
    })

    it('takes no token of a passphrase that has left the ring', async () => {
      const token = await tokenOf(signer, ACCESS, OLD_KEY.kid)
      const later = await openSigner({ keys: [KEY], cacheSize })
      expect(await later.verify('access', token, NOW)).to.deep.equal({
        kind: 'invalid',
        detail: 'signed with no key of this ring',
      })
    })

    it('takes neither kind for the other, also after it was good as its own', async () => {
      for (const claims of [ACCESS, REFRESH]) {
        const token = await tokenOf(signer, claims)
        const other = claims.kind === 'access' ? 'refresh' : 'access'
        expect((await signer.verify(claims.kind, token, NOW)).kind).to.equal('valid')
        expect(await signer.verify(other, token, NOW)).to.deep.equal({
          kind: 'invalid',
          detail: 'another type of token',
        })
      }
    })

    it('is valid to the last millisecond of the leeway and expired from its end on', async () => {
      const token = await tokenOf(signer)
      const end = at(900 + LEEWAY)
      const kinds = []
      for (const time of [at(900), end - 1, end, end + 1, at(906), at(1e9), end - 1]) {
        kinds.push((await signer.verify('access', token, time)).kind)
      }
      expect(kinds).to.deep.equal([
        'valid',
        'valid',
        'expired',
        'expired',
        'expired',
        'expired',
        // A clock that goes back finds it valid again: nothing but the time decides.
        'valid',
      ])
    })

    it('tells the claims of an expired token', async () => {
      const verification = await signer.verify('access', await tokenOf(signer), at(10_000))
      expect(verification).to.deep.equal({ kind: 'expired', claims: ACCESS })
    })

    it('is invalid before nbf minus the leeway', async () => {
      const token = await tokenOf(signer)
      const early = { kind: 'invalid', detail: 'not valid yet' }
      expect(await signer.verify('access', token, at(-LEEWAY))).to.deep.equal({
        kind: 'valid',
        claims: ACCESS,
      })
      expect(await signer.verify('access', token, at(-LEEWAY) - 1)).to.deep.equal(early)
      expect(await signer.verify('access', token, 0)).to.deep.equal(early)
    })

    it('is not valid at a time that is none', async () => {
      const token = await tokenOf(signer)
      expect((await signer.verify('access', token, Number.NaN)).kind).to.equal('invalid')
    })

    it('judges by the time that is passed in, not by the clock of the machine', async () => {
      const longAgo = { ...ACCESS, issuedAt: 1000, expiresAt: 1900 }
      const verification = await signer.verify('access', await tokenOf(signer, longAgo), 1_500_000)
      expect(verification).to.deep.equal({ kind: 'valid', claims: longAgo })
    })
  })
}

describe('what the jose signer remembers', () => {
  it('cannot be changed by whoever it was given to', async () => {
    const signer = await openSigner()
    const token = await tokenOf(signer)
    const verification = await signer.verify('access', token, NOW)
    expect(verification).to.have.property('claims').that.satisfies(Object.isFrozen)
  })

  it('is the whole text: one with another signature is looked at anew', async () => {
    const signer = await openSigner()
    const token = await tokenOf(signer)
    await signer.verify('access', token, NOW)
    const other = await tokenOf(signer, { ...ACCESS, tokenId: 'pair-2' })
    const swapped = token.slice(0, token.lastIndexOf('.')) + other.slice(other.lastIndexOf('.'))
    expect(await signer.verify('access', swapped, NOW)).to.deep.equal({
      kind: 'invalid',
      detail: 'the signature does not fit',
    })
  })

  it('is bounded: with room for one, three tokens in turn are all still right', async () => {
    const signer = await openSigner({ cacheSize: 1 })
    const ids = ['a', 'b', 'c', 'a', 'b', 'c']
    for (const tokenId of ids) {
      const claims = { ...ACCESS, tokenId }
      const verification = await signer.verify('access', await tokenOf(signer, claims), NOW)
      expect(verification).to.deep.equal({ kind: 'valid', claims })
    }
  })

  it('saves the signature only: a remembered token asks the key store for nothing', async () => {
    const signer = await openSigner()
    const token = await tokenOf(signer)
    await signer.verify('access', token, NOW)
    const genuine = crypto.subtle.verify.bind(crypto.subtle)
    let checked = 0
    crypto.subtle.verify = (...given: Parameters<typeof genuine>) => {
      checked += 1
      return genuine(...given)
    }
    try {
      await signer.verify('access', token, NOW)
      expect(checked).to.equal(0)
      await (await openSigner()).verify('access', token, NOW)
      expect(checked).to.equal(1)
    } finally {
      Reflect.deleteProperty(crypto.subtle, 'verify')
    }
  })
})
