import { expect } from 'chai'
import type { TokenSigner } from '../../../src/ports/tokens.js'
import {
  detailOf,
  ISSUED,
  MODES,
  NOW,
  openSigner,
  payloadOf,
  withLabel,
  withPayload,
  without,
  type Bench,
  claimsOf,
  ISSUER,
  ringOf,
  signedBy,
  STATEFUL,
} from '../../support/tokens/token-bench.js'
import { base64url, eddsaBench, forge, hs512Bench } from '../../support/tokens/forged-jwt.js'
import { createLocalJWKSet, jwtVerify, type JWK } from 'jose'
import { publicKeyOf, signEd25519, withOrderAdded } from '../../support/tokens/ed25519.js'

type Attack = readonly [title: string, token: string, logDetail: string]

const NOT_CANONICAL = 'a part of the token is not canonical base64url'
const UNEXPECTED = 'unexpected algorithm'

/** The tests of the token signer show other forged headers and claims. */
function attacksOn(bench: Bench): Attack[] {
  const header = bench.label('access', bench.key.kid)
  const good = withPayload(bench, STATEFUL)
  const [head = '', body = '', signature = ''] = good.split('.')
  const twice = JSON.stringify(header).replace('{', '{"alg":"none",')
  const unsigned = `${base64url({ ...header, alg: 'none' })}.${body}.`
  const signedText = (payload: string) => bench.forge(header, payload, bench.key)
  const payload = JSON.stringify(payloadOf(bench, 'access', STATEFUL))
  return [
    ...['none', 'HS256', 'RS256', bench.name.toLowerCase(), [bench.name], null].map((alg): Attack => [
      `alg ${JSON.stringify(alg)}, signed`,
      withLabel(bench, STATEFUL, { alg }),
      UNEXPECTED,
    ]),
    ['alg none, empty signature', unsigned, NOT_CANONICAL],
    ['alg none, one byte of signature', `${unsigned}AA`, UNEXPECTED],
    ['alg twice, the first none', bench.forge(twice, payload, bench.key), 'the header is not canonical JSON'],
    ['no alg', bench.forge(without(header, 'alg'), payload, bench.key), 'the header lacks "alg"'],
    ...[String(ISSUED), ISSUED + 0.5, -1, 1e308].map((iat): Attack => [
      `iat ${JSON.stringify(iat)}`,
      withPayload(bench, STATEFUL, { iat }),
      '"iat" is not a time',
    ]),
    ['iat 1.9e9', signedText(payload.replace('1900000000', '1.9e9')), 'the payload is not canonical JSON'],
    ['four parts', `${good}.${signature}`, 'the token does not have three parts'],
    ['a single character, which encodes no byte', `A.${body}.${signature}`, NOT_CANONICAL],
    ['a short signature', `${head}.${body}.${base64url(new Uint8Array(63))}`, bench.misfit],
    ['only zeros as signature', `${head}.${body}.${base64url(new Uint8Array(64))}`, bench.misfit],
  ]
}

// The contract tests of token formats show that a changed, cut, extended or recombined token is refused.
for (const bench of [hs512Bench, eddsaBench])
  describe(`the ${bench.name} token signer, when it verifies forged JWTs`, () => {
    let signer: TokenSigner
    before(async () => {
      signer = await openSigner(bench)
    })

    for (const [title, token, detail] of attacksOn(bench))
      it(`refuses: ${title}`, async () => {
        expect(detailOf(await signer.verify('access', token, NOW))).to.equal(detail)
      })
  })

const { key, oldKey } = eddsaBench
const header = eddsaBench.label('access', key.kid)
const payload = payloadOf(eddsaBench, 'access', STATEFUL)

/** Forms of the public key that a careless verifier could use as an HMAC secret; the contract tests use the bytes of x. */
function publicForms(): readonly Uint8Array[] {
  const publicKey = publicKeyOf(key.secret)
  const pem = Buffer.from(publicKey.export({ format: 'pem', type: 'spki' }))
  return [pem, publicKey.export({ format: 'der', type: 'spki' }), new Uint8Array(0)]
}

describe('the EdDSA token signer, when it verifies tokens that anyone can forge from the public key', () => {
  let signer: TokenSigner
  before(async () => {
    signer = await openSigner(eddsaBench)
  })

  it('rejects an HMAC with the public key as the secret', async () => {
    for (const secret of publicForms()) {
      const token = forge({ ...header, alg: 'HS512' }, payload, {
        kid: key.kid,
        secret: new Uint8Array(secret),
      })
      expect(detailOf(await signer.verify('access', token, NOW))).to.equal(UNEXPECTED)
    }
  })

  it('rejects the malleated form of the signature, in which the group order is added to S', async () => {
    const [head, body, signature] = withPayload(eddsaBench, STATEFUL).split('.')
    const raised = (times: bigint) =>
      [head, body, base64url(withOrderAdded(Buffer.from(signature!, 'base64url'), times))].join('.')
    expect((await signer.verify('access', raised(0n), NOW)).kind).to.equal('valid')
    for (const times of [1n, 2n, 7n])
      expect(detailOf(await signer.verify('access', raised(times), NOW))).to.equal(
        'signature verification failed',
      )
  })

  it('rejects a signature over only the payload, only the header, or the hash of both', async () => {
    const signed = `${base64url(header)}.${base64url(payload)}`
    for (const message of [base64url(payload), JSON.stringify(payload), base64url(header), `${signed}.`]) {
      const token = `${signed}.${base64url(signEd25519(Buffer.from(message), key.secret))}`
      expect(detailOf(await signer.verify('access', token, NOW))).to.equal('signature verification failed')
    }
  })
})

describe('the public keys of the HS512 format', () => {
  it('are empty', async () => {
    expect((await hs512Bench.openFormat(ringOf(hs512Bench))).publicKeys).to.deep.equal([])
  })
})

describe('the public keys of the EdDSA format', () => {
  const ring = { keys: [oldKey, key], currentKid: key.kid }

  for (const mode of MODES)
    it(`are enough for jose to fully verify a ${mode.name} token signed with either key`, async () => {
      const { publicKeys } = await eddsaBench.openFormat(ring)
      const named = publicKeys.map(({ kid, alg }) => [kid, alg])
      expect(named).to.deep.equal([key, oldKey].map(({ kid }) => [kid, 'EdDSA']))
      const signer = await openSigner(eddsaBench, { mode, ring: ringOf(eddsaBench) })
      const keyOf = createLocalJWKSet({ keys: publicKeys.map((one): JWK => ({ ...one })) })
      for (const { kid } of [key, oldKey]) {
        const token = await signedBy(signer, claimsOf('access', mode), kid)
        const { payload: verified, protectedHeader } = await jwtVerify(token, keyOf, {
          algorithms: ['EdDSA'],
          issuer: ISSUER,
          audience: `${ISSUER}/access`,
          subject: '42',
          typ: 'at+jwt',
          currentDate: new Date(NOW),
          requiredClaims: ['sid', 'jti', 'iat', 'nbf', 'exp'],
        })
        expect(verified).to.deep.equal(JSON.parse(JSON.stringify(payloadOf(eddsaBench, 'access', mode))))
        expect(protectedHeader).to.deep.equal({ alg: 'EdDSA', typ: 'at+jwt', kid })
      }
    })
})
