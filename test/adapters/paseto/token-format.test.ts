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

/** A token of this mode with changed parts, validly signed with our key. */
const forged = (mode: Mode, changes: Partial<Parameters<typeof forgePaseto>[0]>) =>
  forgePaseto({ payload: payloadOf(pasetoBench, 'access', mode), footer, key, ...changes })

function footers(mode: Mode): Attack[] {
  const good = withPayload(pasetoBench, mode)
  const [body, foot = ''] = good.split('.').slice(2)
  const replaced = (instead: object) => replaceFooter(good, { ...footer, ...instead })
  return [
    ['no footer, and none signed', forged(mode, { footer: undefined }), 'the footer is not JSON'],
    ['no footer, although a footer is signed', `v4.public.${body}`, 'the footer is not JSON'],
    ['an empty footer', `v4.public.${body}.`, NO_PASETO],
    ['another order in the footer', replaceFooter(good, { kid: key.kid, typ: 'at+paseto' }), REFUSED],
    ['the footer of another kind, unsigned', replaced({ typ: 'rt+paseto' }), 'unexpected token type'],
    ['the footer of another key of the ring, unsigned', replaced({ kid: 'kid-old' }), REFUSED],
    ['padding in the footer', `v4.public.${body}.${foot}=`, NO_PASETO],
    ['an implicit assertion', forged(mode, { implicit: 'kennel' }), REFUSED],
  ]
}

const HEADERS = [
  ...['v1.public.', 'v2.public.', 'v3.public.', 'v4.local.', 'v2.local.', 'V4.public.', 'v4.Public.'],
  ...['v5.public.', 'v04.public.', '4.public.', 'v4.secret.', 'v4..'],
]

function headers(mode: Mode): Attack[] {
  const rest = withPayload(pasetoBench, mode).slice('v4.public.'.length)
  return [
    ...HEADERS.flatMap((header): Attack[] => [
      [`${header} over a v4.public signature`, header + rest, NO_PASETO],
      [`${header} in the signature too`, forged(mode, { header }), NO_PASETO],
    ]),
    ['a token of version 2', forged(mode, { header: 'v2.public.', implicit: null }), NO_PASETO],
    ['v4.public. with the signed data of version 2', forged(mode, { implicit: null }), REFUSED],
  ]
}

/** Times that denote the same second as ours, in other notations that RFC 3339 allows. */
const OTHER_TIMES = [
  ...['2030-03-17T17:46:40.000Z', '2030-03-17T17:46:40+00:00', '2030-03-17T18:46:40+01:00'],
  '2030-03-17T17:46:40.500Z',
]
const NO_TIMES = [
  ...[ISSUED, null, [], '', String(ISSUED), '2030-03-17', '2030-03-17T17:46:40', '2030-03-17 17:46:40Z'],
  ...['2030-03-17T17:46:40Z ', '2030-3-17T17:46:40Z', '2030-02-30T17:46:40Z', '2030-03-17T17:46:60Z'],
  ...['+012030-03-17T17:46:40Z', 'Sun, 17 Mar 2030 17:46:40 GMT'],
]

function times(mode: Mode): Attack[] {
  return ['iat', 'nbf', 'exp'].flatMap((name) =>
    [...OTHER_TIMES, ...NO_TIMES].map((value, at): Attack => [
      `${name} ${JSON.stringify(value)}`,
      withPayload(pasetoBench, mode, { [name]: value }),
      at < OTHER_TIMES.length ? `"${name}" is not a time` : REFUSED_CLAIM,
    ]),
  )
}

function shapes(mode: Mode): Attack[] {
  const good = withPayload(pasetoBench, mode)
  const [body = '', foot = ''] = good.split('.').slice(2)
  const bytes = Buffer.from(body, 'base64url')
  const withBody = (changed: Uint8Array) => `v4.public.${Buffer.from(changed).toString('base64url')}.${foot}`
  return [
    ['two parts', 'v4.public', NO_PASETO],
    ['no body', `v4.public..${foot}`, NO_PASETO],
    ['five parts', `${good}.${foot}`, NO_PASETO],
    ['a signature without a payload', withBody(bytes.subarray(-64)), REFUSED],
    ['one byte less than a signature', withBody(bytes.subarray(-63)), REFUSED],
    ['zeros as signature', withBody(Buffer.concat([bytes.subarray(0, -64), Buffer.alloc(64)])), REFUSED],
    ['padding in the body', `v4.public.${body}=.${foot}`, NO_PASETO],
    ['the other base64 alphabet', `v4.public.${body.slice(0, -1)}+.${foot}`, NO_PASETO],
  ]
}

function replaceFooter(token: string, instead: unknown): string {
  const body = token.slice(0, token.lastIndexOf('.'))
  return `${body}.${Buffer.from(JSON.stringify(instead)).toString('base64url')}`
}

// The contract tests of token formats show that a changed, cut, extended or recombined token is refused.
for (const mode of MODES) {
  describe(`the v4.public token signer (${mode.name}), when it verifies forged PASETOs`, () => {
    let signer: TokenSigner
    before(async () => {
      signer = await openSigner(pasetoBench, { mode })
    })

    for (const [title, token, detail] of [footers, headers, times, shapes].flatMap((kind) => kind(mode)))
      it(`refuses: ${title}`, async () => {
        expect(detailOf(await signer.verify('access', token, NOW))).to.equal(detail)
      })

    it('rejects the malleated form of the signature, in which the group order is added to S', async () => {
      const good = withPayload(pasetoBench, mode).split('.')
      const bytes = Buffer.from(good[2]!, 'base64url')
      const raised = (times: bigint) => {
        const signature = withOrderAdded(bytes.subarray(-64), times)
        const body = Buffer.concat([bytes.subarray(0, -64), signature]).toString('base64url')
        return ['v4', 'public', body, good[3]].join('.')
      }
      expect((await signer.verify('access', raised(0n), NOW)).kind).to.equal('valid')
      for (const times of [1n, 2n, 7n])
        expect(detailOf(await signer.verify('access', raised(times), NOW))).to.equal(REFUSED)
    })
  })
}

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
