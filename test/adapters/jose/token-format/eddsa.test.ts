import { expect } from 'chai'
import { createLocalJWKSet, jwtVerify, type JWK } from 'jose'
import type { TokenSigner } from '../../../../src/ports/tokens.js'
import { publicKeyOf, signEd25519, withOrderAdded } from '../../../support/tokens/ed25519.js'
import {
  claimsOf,
  detailOf,
  ISSUER,
  MODES,
  NOW,
  openSigner,
  payloadOf,
  ringOf,
  signedBy,
  STATEFUL,
  withPayload,
} from '../../../support/tokens/token-bench.js'
import { base64url, eddsaBench, forge, hs512Bench } from '../../../support/tokens/forged-jwt.js'

const { key, oldKey } = eddsaBench
const header = eddsaBench.label('access', key.kid)
const payload = payloadOf(eddsaBench, 'access', STATEFUL)

/** The public forms of the key, as bytes that a careless verifier could use as an HMAC secret. */
function publicForms(): Readonly<Record<string, Uint8Array>> {
  const publicKey = publicKeyOf(key.secret)
  const jwk = publicKey.export({ format: 'jwk' })
  return {
    'the raw bytes of x': Buffer.from(jwk.x!, 'base64url'),
    'x as text': Buffer.from(jwk.x!),
    'the JWK as JSON': Buffer.from(JSON.stringify(jwk)),
    'the SPKI as DER': publicKey.export({ format: 'der', type: 'spki' }),
    'the SPKI as PEM': Buffer.from(publicKey.export({ format: 'pem', type: 'spki' })),
    nothing: new Uint8Array(0),
  }
}

describe('the EdDSA token signer, when it verifies tokens that anyone can forge from the public key', () => {
  let signer: TokenSigner
  before(async () => {
    signer = await openSigner(eddsaBench)
  })

  const hashes = { HS256: 'sha256', HS384: 'sha384', HS512: 'sha512' }
  for (const [form, secret] of Object.entries(publicForms()))
    for (const [alg, hash] of Object.entries(hashes))
      it(`rejects ${alg} with ${form} as the secret`, async () => {
        const hmacKey = { kid: key.kid, secret: new Uint8Array(secret) }
        const honest = forge({ ...header, alg }, payload, hmacKey, hash)
        expect(detailOf(await signer.verify('access', honest, NOW))).to.equal('unexpected algorithm')
        const lying = forge(header, payload, hmacKey, hash)
        expect(detailOf(await signer.verify('access', lying, NOW))).to.equal('signature verification failed')
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
