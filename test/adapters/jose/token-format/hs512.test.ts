import { expect } from 'chai'
import type { TokenSigner } from '../../../../src/ports/token-signer.js'
import { detailOf, NOW, openSigner, payloadOf, STATEFUL } from '../../../support/tokens/token-bench.js'
import { forge, hs512Bench, KEY } from '../../../support/tokens/forged-jwt.js'

const header = hs512Bench.label('access', KEY.kid)
const payload = payloadOf(hs512Bench, 'access', STATEFUL)

describe('the signer of HS512 tokens, given other hashes with our key', () => {
  let signer: TokenSigner
  before(async () => {
    signer = await openSigner(hs512Bench)
  })

  for (const [alg, hash] of [
    ['HS256', 'sha256'],
    ['HS384', 'sha384'],
  ] as const) {
    it(`refuses ${alg} in the header and in the signature`, async () => {
      const token = forge({ ...header, alg }, payload, KEY, hash)
      expect(detailOf(await signer.verify('access', token, NOW))).to.equal('another algorithm')
    })

    it(`refuses ${alg} in the signature only`, async () => {
      const token = forge(header, payload, KEY, hash)
      expect(detailOf(await signer.verify('access', token, NOW))).to.equal('the signature does not fit')
    })
  }
})

describe('the public keys of the HS512 format', () => {
  it('are none', async () => {
    const ring = { keys: [KEY, hs512Bench.oldKey], currentKid: KEY.kid }
    expect((await hs512Bench.openFormat(ring)).publicKeys).to.deep.equal([])
  })
})
