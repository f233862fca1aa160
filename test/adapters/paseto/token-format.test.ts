import { expect } from 'chai'
import type { TokenSigner, PublicKey } from '../../../src/ports/tokens.js'
import { withOrderAdded, pkcs8 } from '../../support/tokens/ed25519.js'
import {
  detailOf,
  ISSUED,
  MODES,
  NOW,
  openSigner,
  payloadOf,
  STATEFUL,
  withPayload,
  type Mode,
  claimsOf,
  ISSUER,
  signedBy,
} from '../../support/tokens/token-bench.js'
import { forgePaseto, pasetoBench, REFUSED, REFUSED_CLAIM } from '../../support/tokens/forged-paseto.js'
import { PublicProtocol } from 'paseto'
import { ImportPublicKeyFactory, VerifyFactory } from 'paseto/v4/public'

type Attack = readonly [title: string, token: string, logDetail: string]

const NO_PASETO = 'the token is not a PASETO'
const { key } = pasetoBench
const footer = pasetoBench.label('access', key.kid)

/** A token with changed parts, validly signed with our key. */
const forged = (changes: Partial<Parameters<typeof forgePaseto>[0]>) =>
  forgePaseto({ payload: payloadOf(pasetoBench, 'access', STATEFUL), footer, key, ...changes })

const GOOD = withPayload(pasetoBench, STATEFUL)
const [BODY = '', FOOT = ''] = GOOD.split('.').slice(2)

function footers(): Attack[] {
  const replaced = (instead: object) => replaceFooter(GOOD, { ...footer, ...instead })
  return [
    ['no footer, and none signed', forged({ footer: undefined }), 'the footer is not JSON'],
    ['no footer, although a footer is signed', `v4.public.${BODY}`, 'the footer is not JSON'],
    ['another order in the footer', replaceFooter(GOOD, { kid: key.kid, typ: 'at+paseto' }), REFUSED],
    ['the footer of another kind, unsigned', replaced({ typ: 'rt+paseto' }), 'unexpected token type'],
    ['the footer of another key of the ring, unsigned', replaced({ kid: 'kid-old' }), REFUSED],
    ['an implicit assertion', forged({ implicit: 'kennel' }), REFUSED],
  ]
}

function headers(): Attack[] {
  const rest = GOOD.slice('v4.public.'.length)
  return [
    ...['v2.public.', 'v4.local.', 'V4.public.', 'v04.public.', 'v4..'].map((header): Attack => [
      `${header} over a v4.public signature`,
      header + rest,
      NO_PASETO,
    ]),
    ['a token of version 2', forged({ header: 'v2.public.', implicit: null }), NO_PASETO],
    ['v4.public. with the signed data of version 2', forged({ implicit: null }), REFUSED],
  ]
}

function times(): Attack[] {
  const [millis, offset] = ['2030-03-17T17:46:40.000Z', '2030-03-17T18:46:40+01:00']
  const others = [
    ISSUED,
    '2030-03-17',
    '2030-03-17T17:46:40',
    '2030-02-30T17:46:40Z',
    '+012030-03-17T17:46:40Z',
  ]
  return [millis, offset, ...others].map((iat): Attack => [
    `iat ${JSON.stringify(iat)}`,
    withPayload(pasetoBench, STATEFUL, { iat }),
    iat === millis || iat === offset ? '"iat" is not a time' : REFUSED_CLAIM,
  ])
}

function shapes(): Attack[] {
  const bytes = Buffer.from(BODY, 'base64url')
  const withBody = (changed: Uint8Array) => `v4.public.${Buffer.from(changed).toString('base64url')}.${FOOT}`
  return [
    ['five parts', `${GOOD}.${FOOT}`, NO_PASETO],
    ['a signature without a payload', withBody(bytes.subarray(-64)), REFUSED],
    ['one byte less than a signature', withBody(bytes.subarray(-63)), REFUSED],
    ['zeros as signature', withBody(Buffer.concat([bytes.subarray(0, -64), Buffer.alloc(64)])), REFUSED],
  ]
}

function replaceFooter(token: string, instead: unknown): string {
  const body = token.slice(0, token.lastIndexOf('.'))
  return `${body}.${Buffer.from(JSON.stringify(instead)).toString('base64url')}`
}

// The contract tests of token formats show that a changed, cut, extended or recombined token is refused.
describe('the v4.public token signer, when it verifies forged PASETOs', () => {
  let signer: TokenSigner
  before(async () => {
    signer = await openSigner(pasetoBench)
  })

  for (const [title, token, detail] of [footers, headers, times, shapes].flatMap((kind) => kind()))
    it(`refuses: ${title}`, async () => {
      expect(detailOf(await signer.verify('access', token, NOW))).to.equal(detail)
    })

  it('rejects the malleated form of the signature, in which the group order is added to S', async () => {
    const bytes = Buffer.from(BODY, 'base64url')
    const raised = Buffer.concat([bytes.subarray(0, -64), withOrderAdded(bytes.subarray(-64), 1n)])
    const token = `v4.public.${raised.toString('base64url')}.${FOOT}`
    expect(detailOf(await signer.verify('access', token, NOW))).to.equal(REFUSED)
  })
})

const { oldKey } = pasetoBench
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
