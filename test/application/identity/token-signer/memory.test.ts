import { expect } from 'chai'
import type { TokenFormat, TokenSigner } from '../../../../src/ports/tokens.js'
import { WORKPLACES } from '../../../support/tokens/benches.js'
import {
  claimsOf,
  detailOf,
  NOW,
  openSigner,
  payloadOf,
  ringOf,
  signedBy,
  signerOf,
  withPayload,
  type Bench,
  type Mode,
} from '../../../support/tokens/token-bench.js'

type Watched = { readonly signer: TokenSigner; readonly opened: () => number }

/** Opens a signer; `opened` returns how many tokens it has verified. */
async function watched(bench: Bench, mode: Mode, remembered: number): Promise<Watched> {
  const format = await bench.openFormat(ringOf(bench))
  let opened = 0
  const open: TokenFormat['open'] = async (kind, token) => {
    opened += 1
    return await format.open(kind, token)
  }
  return { signer: signerOf({ ...format, open }, { mode, remembered }), opened: () => opened }
}

function frozenThroughout(value: unknown): boolean {
  return typeof value !== 'object' || value === null
    ? true
    : Object.isFrozen(value) && Object.values(value).every(frozenThroughout)
}

for (const { bench, mode, title } of WORKPLACES) {
  const access = claimsOf('access', mode)

  describe(`the cache of ${title}`, () => {
    it('returns frozen claims, so a caller cannot change the cache', async () => {
      const signer = await openSigner(bench, { mode })
      for (const token of [withPayload(bench, mode), await signedBy(signer, access)]) {
        const verification = await signer.verify('access', token, NOW)
        expect(verification).to.have.property('claims').that.satisfies(frozenThroughout)
      }
    })

    it('compares the whole token, so a token with a different signature is verified again', async () => {
      const signer = await openSigner(bench, { mode })
      const token = await signedBy(signer, access)
      expect((await signer.verify('access', token, NOW)).kind).to.equal('valid')
      const foreign = bench.forge(
        bench.label('access', bench.key.kid),
        payloadOf(bench, 'access', mode),
        bench.foreignKey,
      )
      expect(foreign).to.have.lengthOf(token.length)
      expect(foreign).to.not.equal(token)
      expect(detailOf(await signer.verify('access', foreign, NOW))).to.equal(bench.misfit)
    })

    it('is bounded: with a capacity of one token, three alternating tokens are still verified correctly', async () => {
      const { signer, opened } = await watched(bench, mode, 1)
      for (const tokenId of ['a', 'b', 'c', 'a', 'b', 'c']) {
        const claims = { ...access, tokenId }
        const token = withPayload(bench, mode, { jti: tokenId })
        expect(await signer.verify('access', token, NOW)).to.deep.equal({ kind: 'valid', claims })
      }
      expect(opened()).to.equal(6)
    })

    it("checks the signature of another signer's token only once, and never checks its own signatures", async () => {
      const { signer, opened } = await watched(bench, mode, 10)
      const token = withPayload(bench, mode, { jti: 'from elsewhere' })
      for (const time of [NOW, NOW + 1, NOW + 2]) await signer.verify('access', token, time)
      expect(opened()).to.equal(1)
      await signer.verify('access', await signedBy(signer, access), NOW)
      expect(opened()).to.equal(1)
    })

    it('does not cache an invalid token, which is verified again and stays invalid', async () => {
      const { signer, opened } = await watched(bench, mode, 10)
      const token = withPayload(bench, mode, { iss: 'https://evil.example' })
      for (const time of [NOW, NOW + 1]) {
        expect(detailOf(await signer.verify('access', token, time))).to.equal('unexpected issuer')
      }
      expect(opened()).to.equal(2)
    })
  })
}
