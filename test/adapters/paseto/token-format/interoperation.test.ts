import { expect } from 'chai'
import { PublicProtocol } from 'paseto'
import { ImportPublicKeyFactory, VerifyFactory } from 'paseto/v4/public'
import type { PublicKey } from '../../../../src/ports/tokens.js'
import { pkcs8 } from '../../../support/tokens/ed25519.js'
import {
  claimsOf,
  ISSUER,
  MODES,
  NOW,
  openSigner,
  payloadOf,
  signedBy,
  type Mode,
} from '../../../support/tokens/token-bench.js'
import { forgePaseto, pasetoBench } from '../../../support/tokens/forged-paseto.js'

const { key, oldKey } = pasetoBench
const ring = { keys: [oldKey, key], currentKid: key.kid }
const plain = new PublicProtocol(VerifyFactory, ImportPublicKeyFactory)

/** Returns the result of the PASETO library with all its checks, using only the published key. */
async function verified(token: string, published: PublicKey) {
  const publicKey = await plain.ImportPublicKey(`k4.public.${published.x}`)
  return await plain.Verify(publicKey, token, {
    issuer: ISSUER,
    audience: `${ISSUER}/access`,
    subject: '42',
    tokenIdentifier: 'pair-1',
    requiredClaims: ['sid', 'iat', 'nbf', 'exp'],
    now: new Date(NOW),
  })
}

async function tokenOf(mode: Mode, kid: string): Promise<string> {
  return await signedBy(await openSigner(pasetoBench, { mode, ring }), claimsOf('access', mode), kid)
}

// The contract tests of token formats show that the public keys have no private member.
describe('the PASETO library', () => {
  for (const mode of MODES) {
    it(`verifies a ${mode.name} token signed with either key, using all checks of the library`, async () => {
      const { publicKeys } = await pasetoBench.openFormat(ring)
      const named = publicKeys.map(({ kid, alg }) => [kid, alg])
      expect(named).to.deep.equal([key, oldKey].map(({ kid }) => [kid, undefined]))
      for (const published of publicKeys) {
        const { claims, footer } = await verified(await tokenOf(mode, published.kid), published)
        expect(claims).to.deep.equal(JSON.parse(JSON.stringify(payloadOf(pasetoBench, 'access', mode))))
        expect(Buffer.from(footer).toString()).to.equal(`{"typ":"at+paseto","kid":"${published.kid}"}`)
      }
    })
  }
})

describe('the token builder used in these tests', () => {
  it('produces the token 4-S-2 of the official PASETO test vectors', () => {
    const seed = Buffer.from('b4cbfb43df4ce210727d953e4a713307fa19bb7d9f85041438d9e11b942a3774', 'hex')
    const token = forgePaseto({
      payload: '{"data":"this is a signed message","exp":"2022-01-01T00:00:00+00:00"}',
      footer: '{"kid":"zVhMiPBP9fRf2snEcT7gFTioeA9COcNy9DfgL1W60haN"}',
      key: { secret: pkcs8(seed) },
    })
    expect(token).to.equal(
      'v4.public.eyJkYXRhIjoidGhpcyBpcyBhIHNpZ25lZCBtZXNzYWdlIiwiZXhwIjoiMjAyMi0wMS0wMVQwMDowMDowMCswMDowMCJ9v3Jt8mx_TdM2ceTGoqwrh4yDFn0XsHvvV_D0DtwQxVrJEBMl0F2caAdgnpKlt4p7xBnx1HcO-SPo8FPp214HDw.eyJraWQiOiJ6VmhNaVBCUDlmUmYyc25FY1Q3Z0ZUaW9lQTlDT2NOeTlEZmdMMVc2MGhhTiJ9',
    )
  })
})
