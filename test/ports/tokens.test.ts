import { generateKeyPairSync } from 'node:crypto'
import { expect } from 'chai'
import { errors } from 'jose'
import { InvalidTokenError } from 'paseto'
import type { TokenFormat } from '../../src/ports/tokens.js'
import { BENCHES } from '../support/tokens/benches.js'
import { publicKeyOf } from '../support/tokens/ed25519.js'
import { eddsaBench, hs512Bench } from '../support/tokens/forged-jwt.js'
import { pasetoBench } from '../support/tokens/forged-paseto.js'
import {
  type Bench,
  type Ring,
  detailOf,
  NOW,
  openSigner,
  payloadOf,
  ringOf,
  withLabel,
  withPayload,
  type Mode,
  STATELESS,
} from '../support/tokens/token-bench.js'

async function outcomeOf(bench: Bench, ring: Ring): Promise<unknown> {
  return await bench.openFormat(ring).then(
    () => 'opened',
    (error: unknown) => error,
  )
}

function pkcs8Of(type: 'x25519' | 'ed448' | 'x448'): Uint8Array {
  // The types have a separate overload for each kind of key.
  const { privateKey } = generateKeyPairSync(type as 'x25519')
  return privateKey.export({ format: 'der', type: 'pkcs8' })
}

function ellipticCurve(): Uint8Array {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  return privateKey.export({ format: 'der', type: 'pkcs8' })
}

for (const bench of BENCHES) {
  const { key, oldKey } = bench

  describe(`creation of the ${bench.name} format`, () => {
    const errors = [
      { keys: [key], currentKid: 'gone', says: 'no signing key matches the current kid' },
      { keys: [key], currentKid: '__proto__', says: 'no signing key matches the current kid' },
      {
        keys: [key, { ...oldKey, kid: key.kid }],
        currentKid: key.kid,
        says: 'two signing keys have the same kid',
      },
    ]
    for (const { says, ...ring } of errors) {
      it(`rejects a key ring of size ${ring.keys.length} with current key ${ring.currentKid} because ${says}`, async () => {
        expect(await outcomeOf(bench, ring))
          .to.be.instanceOf(RangeError)
          .with.property('message', says)
      })
    }

    it('copies the secrets that are passed in', async () => {
      const secret = Uint8Array.from(key.secret)
      const format = await bench.openFormat({ keys: [{ kid: key.kid, secret }], currentKid: key.kid })
      const before = await format.seal('access', { sub: '1', exp: 1 }, key.kid)
      secret.fill(0)
      expect(await format.seal('access', { sub: '1', exp: 1 }, key.kid)).to.equal(before)
    })
  })
}

describe('the HS512 format with secrets of an invalid length', () => {
  for (const [what, secret] of [
    ['none', new Uint8Array(0)],
    ['63 bytes', new Uint8Array(63)],
    ['an Ed25519 key', eddsaBench.key.secret],
  ] as const) {
    it(`rejects ${what}, even if it is not the current key`, async () => {
      for (const currentKid of ['short', hs512Bench.key.kid]) {
        const outcome = await outcomeOf(hs512Bench, {
          keys: [hs512Bench.key, { kid: 'short', secret }],
          currentKid,
        })
        expect(outcome)
          .to.be.instanceOf(RangeError)
          .with.property('message', 'a signing secret needs 64 bytes')
      }
    })
  }
})

for (const bench of [eddsaBench, pasetoBench]) {
  describe(`the ${bench.name} format with secrets of the wrong kind`, () => {
    const { secret } = bench.key
    const wrong: Readonly<Record<string, Uint8Array>> = {
      none: new Uint8Array(0),
      'the secret of HMAC': hs512Bench.key.secret,
      '32 bytes without their PKCS #8': secret.slice(-32),
      'a PKCS #8 that is cut off': secret.slice(0, -1),
      'a public key': publicKeyOf(secret).export({ format: 'der', type: 'spki' }),
      'a key as PEM': Buffer.from('-----BEGIN PRIVATE KEY-----\n'),
      'an X25519 key': pkcs8Of('x25519'),
      'an Ed448 key': pkcs8Of('ed448'),
      'a P-256 key': ellipticCurve(),
    }
    for (const [what, other] of Object.entries(wrong)) {
      it(`rejects ${what}, even if it is not the current key`, async () => {
        for (const currentKid of ['other', bench.key.kid]) {
          const keys = [bench.key, { kid: 'other', secret: other }]
          expect(await outcomeOf(bench, { keys, currentKid })).to.be.instanceOf(Error)
        }
      })
    }
  })
}

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

for (const bench of BENCHES) {
  const mode = STATELESS
  describe(`the log detail of the ${bench.name} format`, () => {
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

    it('contains the class of an unknown error, never the message', () => {
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

    it('contains the code of an error that its library throws, never the message', () => {
      const own = bench.name === 'v4.public' ? new InvalidTokenError(SECRET) : new errors.JWSInvalid(SECRET)
      const library = bench.name === 'v4.public' ? 'paseto' : 'jose'
      expect(format.describe(own)).to.equal(`refused by ${library}: ${own.code}`)
    })
  })
}
