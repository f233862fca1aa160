import { expect } from 'chai'
import type { TokenSigner } from '../../../../src/ports/tokens.js'
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
} from '../../../support/tokens/token-bench.js'
import { base64url, eddsaBench, forge, hs512Bench, KEY } from '../../../support/tokens/forged-jwt.js'

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
