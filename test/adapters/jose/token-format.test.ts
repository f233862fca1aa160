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
  type Mode,
  claimsOf,
  ISSUER,
  ringOf,
  signedBy,
  STATEFUL,
} from '../../support/tokens/token-bench.js'
import { base64url, eddsaBench, forge, hs512Bench, KEY } from '../../support/tokens/forged-jwt.js'
import { createLocalJWKSet, jwtVerify, type JWK } from 'jose'
import { publicKeyOf, signEd25519, withOrderAdded } from '../../support/tokens/ed25519.js'

type Attack = readonly [title: string, token: string, logDetail: string]

const NOT_CANONICAL = 'a part of the token is not canonical base64url'
const NOT_THREE = 'the token does not have three parts'
const UNEXPECTED = 'unexpected algorithm'

function algorithms(bench: Bench, mode: Mode): Attack[] {
  const others = [
    'none',
    'NoNe',
    '',
    'HS256',
    'HS512',
    'EdDSA',
    'RS256',
    bench.name.toLowerCase(),
    `${bench.name}\u0000`,
  ]
  const header = bench.label('access', bench.key.kid)
  const payload = payloadOf(bench, 'access', mode)
  const unsigned = (alg: string) => `${base64url({ ...header, alg })}.${base64url(payload)}.`
  const twice = JSON.stringify(header).replace('{', '{"alg":"none",')
  return [
    ...[...others.filter((alg) => alg !== bench.name), [bench.name], null, 512].map((alg): Attack => [
      `alg ${JSON.stringify(alg)}, signed`,
      withLabel(bench, mode, { alg }),
      UNEXPECTED,
    ]),
    ['alg none, empty signature', unsigned('none'), NOT_CANONICAL],
    ['alg none, one byte of signature', `${unsigned('none')}AA`, UNEXPECTED],
    ['our alg, empty signature', unsigned(bench.name), NOT_CANONICAL],
    ['our alg, one byte of signature', `${unsigned(bench.name)}AA`, bench.misfit],
    ['alg twice, the first none', bench.forge(twice, payload, bench.key), 'the header is not canonical JSON'],
    ['no alg', bench.forge(without(header, 'alg'), payload, bench.key), 'the header lacks "alg"'],
  ]
}

function times(bench: Bench, mode: Mode): Attack[] {
  const wrong = [String(ISSUED), ISSUED + 0.5, -1, null, 2 ** 53, 1e308, [ISSUED], '2030-03-17T17:46:40Z']
  return ['iat', 'nbf', 'exp'].flatMap((name) =>
    wrong.map((value): Attack => [
      `${name} ${JSON.stringify(value)}`,
      withPayload(bench, mode, { [name]: value }),
      `"${name}" is not a time`,
    ]),
  )
}

/** Tokens whose JSON contains the same numbers in a different notation. */
function numbers(bench: Bench, mode: Mode): Attack[] {
  const label = bench.label('access', bench.key.kid)
  const text = JSON.stringify(payloadOf(bench, 'access', mode))
  return ['1.9e9', '1900000000.0'].map((iat) => {
    const payload = text.replace('"iat":1900000000', `"iat":${iat}`)
    return [`iat written ${iat}`, bench.forge(label, payload, bench.key), 'the payload is not canonical JSON']
  })
}

function shapes(bench: Bench, mode: Mode): Attack[] {
  const good = withPayload(bench, mode)
  const [head = '', body = '', signature = ''] = good.split('.')
  const { misfit } = bench
  return [
    ['two parts', `${head}.${body}`, NOT_THREE],
    ['four parts', `${good}.${signature}`, NOT_THREE],
    ['three empty parts', '..', NOT_CANONICAL],
    ['a single character, which encodes no byte', `A.${body}.${signature}`, NOT_CANONICAL],
    ['padding in the header', `${head}=.${body}.${signature}`, NOT_CANONICAL],
    ['the other base64 alphabet', `${head}.${body}.${signature.slice(0, -1)}+`, NOT_CANONICAL],
    ['a short signature', `${head}.${body}.${base64url(new Uint8Array(63))}`, misfit],
    ['only zeros as signature', `${head}.${body}.${base64url(new Uint8Array(64))}`, misfit],
  ]
}

/** Tokens with an HMAC that uses our key but a different hash function. */
function hashes(bench: Bench, mode: Mode): Attack[] {
  if (bench !== hs512Bench) return []
  const signed = forge(bench.label('access', KEY.kid), payloadOf(bench, 'access', mode), KEY, 'sha256')
  return [['a signature with another hash', signed, bench.misfit]]
}

// The contract tests of token formats show that a changed, cut, extended or recombined token is refused.
for (const bench of [hs512Bench, eddsaBench]) {
  for (const mode of MODES) {
    describe(`the ${bench.name} token signer (${mode.name}), when it verifies forged JWTs`, () => {
      let signer: TokenSigner
      before(async () => {
        signer = await openSigner(bench, { mode })
      })

      const attacks = [algorithms, times, numbers, shapes, hashes].flatMap((kind) => kind(bench, mode))
      for (const [title, token, detail] of attacks)
        it(`refuses: ${title}`, async () => {
          expect(detailOf(await signer.verify('access', token, NOW))).to.equal(detail)
        })
    })
  }
}

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
