import { expect } from 'chai'
import { errors } from 'jose'
import { InvalidTokenError } from 'paseto'
import type { TokenFormat } from '../../../src/ports/tokens.js'
import { BENCHES, WORKPLACES } from '../../support/tokens/benches.js'
import {
  detailOf,
  NOW,
  openSigner,
  payloadOf,
  ringOf,
  withLabel,
  withPayload,
  type Bench,
  type Mode,
} from '../../support/tokens/token-bench.js'

const SECRET = 'marked-secret-value'

/** Returns invalid tokens with marks in every part that an error message could quote. */
function markedTokens(bench: Bench, mode: Mode): string[] {
  const label = bench.label('access', bench.key.kid)
  const payload = payloadOf(bench, 'access', mode)
  const good = withPayload(bench, mode)
  return [
    SECRET,
    `${SECRET}.${SECRET}.${SECRET}`,
    `${SECRET}.${SECRET}.${SECRET}.${SECRET}`,
    `v4.${SECRET}.${SECRET}`,
    `v4.public.${SECRET}.${SECRET}`,
    `${good}.${SECRET}`,
    good + SECRET,
    SECRET + good,
    bench.forge(SECRET, payload, bench.key),
    bench.forge(`{"${SECRET}`, payload, bench.key),
    bench.forge([SECRET], payload, bench.key),
    bench.forge(`{"${SECRET}":1,"${SECRET}":1}`, payload, bench.key),
    bench.forge(label, SECRET, bench.key),
    bench.forge(label, `{"${SECRET}`, bench.key),
    bench.forge(label, JSON.stringify(SECRET), bench.key),
    bench.forge(label, { ...payload, sid: SECRET }, bench.foreignKey),
    ...['alg', 'typ', 'kid', SECRET].map((name) => withLabel(bench, mode, { [name]: SECRET })),
    ...['iss', 'aud', 'sub', 'iat', 'nbf', 'exp', SECRET].map((name) =>
      withPayload(bench, mode, { [name]: SECRET }),
    ),
    ...['email', 'roles', 'epoch', 'session_exp'].map((name) =>
      withPayload(bench, mode, { [name]: [SECRET] }),
    ),
    withPayload(bench, mode, { roles: [{ uuid: SECRET, key: SECRET, label: SECRET, [SECRET]: SECRET }] }),
  ]
}

for (const { bench, mode, title } of WORKPLACES) {
  describe(`the log detail from ${title}`, () => {
    it('contains no part of the token', async () => {
      const signer = await openSigner(bench, { mode })
      for (const token of markedTokens(bench, mode)) {
        const detail = detailOf(await signer.verify('access', token, NOW))
        // `bWFya2Vk` is the base64 form of `marked`.
        expect(detail).to.not.match(/marked|secret|bWFya2Vk|not invalid/u)
      }
    })
  })
}

for (const bench of BENCHES) {
  describe(`the error description of the ${bench.name} format`, () => {
    let format: TokenFormat
    before(async () => {
      format = await bench.openFormat(ringOf(bench))
    })

    it('describes an unknown error by its class, never by its message', () => {
      const described = [
        new Error(SECRET),
        new TypeError(SECRET),
        SECRET,
        undefined,
        { message: SECRET },
      ].map((error) => format.describe(error))
      expect(described).to.deep.equal([
        'unexpected Error',
        'unexpected TypeError',
        'unexpected string',
        'unexpected undefined',
        'unexpected object',
      ])
    })

    it('describes an error from its library by its code, never by its message', () => {
      const own = bench.name === 'v4.public' ? new InvalidTokenError(SECRET) : new errors.JWSInvalid(SECRET)
      const library = bench.name === 'v4.public' ? 'paseto' : 'jose'
      expect(format.describe(own)).to.equal(`refused by ${library}: ${own.code}`)
    })
  })
}
