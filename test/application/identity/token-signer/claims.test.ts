import { expect } from 'chai'
import type { TokenSigner } from '../../../../src/ports/tokens.js'
import { BENCHES } from '../../../support/tokens/benches.js'
import {
  detailOf,
  ISSUED,
  ISSUER,
  NOW,
  openSigner,
  payloadOf,
  STATEFUL,
  withPayload,
  without,
  type Bench,
} from '../../../support/tokens/token-bench.js'

/** The test title, the forged payload, header or footer (an object, JSON text or bytes), and the reason in the log. */
type Attack = readonly [title: string, forged: unknown, detail: string]

const NOT_CANONICAL = 'the payload is not canonical JSON'

/** Registered claims: the library may check their types before our parsers do. The other claims are tested with their parsers. */
function registered(bench: Bench, good: object): Attack[] {
  const { mistyped } = bench
  const wrong = (name: string, values: readonly unknown[], detail: string): Attack[] =>
    values.map((value) => [
      `${name} ${JSON.stringify(value)}`,
      { ...good, [name]: value },
      mistyped ?? detail,
    ])
  return [
    ...wrong('sub', [42, null, ['42'], {}, true], '"sub" is not an account id'),
    ...wrong('jti', [1, null, ['a'], {}, true], '"jti" is not a name'),
    ...wrong('iss', [[ISSUER], null], 'unexpected issuer'),
    ...wrong('aud', [[`${ISSUER}/access`]], 'unexpected audience'),
    ['no exp', without({ ...good }, 'exp'), mistyped ?? 'the payload lacks "exp"'],
    ['another iss', { ...good, iss: 'https://evil.example' }, 'unexpected issuer'],
    ['another aud', { ...good, aud: `${ISSUER}/refresh` }, 'unexpected audience'],
    ['no sid', without({ ...good }, 'sid'), 'the payload lacks "sid"'],
    ['an unknown member', { ...good, admin: true }, 'the payload has an unknown member'],
    [
      'a second more than the lifetime',
      { ...good, exp: bench.time(ISSUED + 901) },
      'the lifetime is longer than the configured lifetime',
    ],
  ]
}

function texts(good: object): Attack[] {
  const text = JSON.stringify(good)
  const twice = (member: string) => text.replace('"sub":"42"', `${member},"sub":"42"`)
  return [
    ['sub twice, first with another value', twice('"sub":"1"'), NOT_CANONICAL],
    ['sid twice, once escaped', twice(String.raw`"s\u0069d":"session-1"`), NOT_CANONICAL],
    ['an escaped slash', text.replace('kennel.example/', String.raw`kennel.example\/`), NOT_CANONICAL],
    ['spaces', JSON.stringify(good, null, 1), NOT_CANONICAL],
    [
      '__proto__ besides',
      text.replace('{', '{"__proto__":{"admin":true},'),
      'the payload has an unknown member',
    ],
  ]
}

/** Payloads that the first check rejects, because they have no valid members. */
function shapes({ mistyped, misfit }: Bench, good: object): Attack[] {
  const library = mistyped === undefined ? undefined : misfit
  const notJson = library ?? 'the payload is not JSON'
  const text = JSON.stringify(good)
  return [
    ...['null', '42', `[${text}]`].map((payload): Attack => [
      payload.slice(0, 10),
      payload,
      library ?? 'the payload is not an object',
    ]),
    ['nothing but __proto__', '{"__proto__":{"sub":"1"}}', mistyped ?? 'the payload lacks "iss"'],
    ['an empty object', '{}', mistyped ?? 'the payload lacks "iss"'],
    ['half of it', text.slice(0, -9), notJson],
    ['a list nested 2,500 deep', '['.repeat(2500), notJson],
    ['no UTF-8', Buffer.from(text.replace('42', '\u00ff'), 'latin1'), notJson],
    ['a byte order mark at the beginning', `\ufeff${text}`, 'the payload is not JSON'],
  ]
}

for (const bench of BENCHES) {
  describe(`the signer of ${bench.name} tokens, given claims that were signed with its key`, () => {
    const good = payloadOf(bench, 'access', STATEFUL)
    const label = bench.label('access', bench.key.kid)
    let signer: TokenSigner
    before(async () => {
      signer = await openSigner(bench)
    })

    for (const [wrong, payload, detail] of [
      ...registered(bench, good),
      ...texts(good),
      ...shapes(bench, good),
    ]) {
      it(`refuses: ${wrong}`, async () => {
        const token = bench.forge(label, payload, bench.key)
        expect(detailOf(await signer.verify('access', token, NOW))).to.equal(detail)
      })
    }

    it('accepts the claims in any order, because another version may sign them in a different order', async () => {
      const token = bench.forge(label, Object.fromEntries(Object.entries(good).reverse()), bench.key)
      expect((await signer.verify('access', token, NOW)).kind).to.equal('valid')
    })
  })
}

function types(good: object): Attack[] {
  const others = ['AT+JWT', 'at+JWT', 'application/at+jwt', 'JWT', 'PASETO', '', 'at', 'rt+jwt', 'rt+paseto']
  const typed = [...others, null, 1, ['at+jwt'], ['at+paseto'], {}]
  return typed.map((typ) => [`typ ${JSON.stringify(typ)}`, { ...good, typ }, 'unexpected token type'])
}

function kids(good: object): Attack[] {
  const unknown = [
    ...['unknown', 'KID-CURRENT', ' kid-current', '../kid-current', "' OR '1'='1", '$ne'],
    ...['__proto__', 'constructor', '', 'kid-current\u0000', 'k'.repeat(5000)],
  ]
  return [
    ...unknown.map((kid): Attack => [
      `kid ${kid.slice(0, 20)}`,
      { ...good, kid },
      'not signed with a key in this ring',
    ]),
    ...[42, null, true, { $ne: '' }, ['kid-current']].map((kid): Attack => [
      `kid ${JSON.stringify(kid)}`,
      { ...good, kid },
      '"kid" is not a string',
    ]),
    ['kid of 10 kB', { ...good, kid: 'k'.repeat(10_000) }, 'the token is too long'],
  ]
}

function members(part: string, good: Readonly<Record<string, unknown>>): Attack[] {
  const added = {
    jwk: { kty: 'OKP', crv: 'Ed25519', x: 'of the attacker' },
    jku: 'http://127.0.0.1:1/keys',
    crit: ['exp'],
    wpk: 'k4.local-wrap.pie.abc',
    anything: null,
  }
  return [
    ...Object.keys(good).map((name): Attack => [
      `no ${name}`,
      without(good, name),
      `the ${part} lacks "${name}"`,
    ]),
    ...Object.entries(added).map(([name, value]): Attack => [
      `${name} besides`,
      { ...good, [name]: value },
      `the ${part} has an unknown member`,
    ]),
  ]
}

function labelTexts(part: string, good: object): Attack[] {
  const text = JSON.stringify(good)
  const notCanonical = `the ${part} is not canonical JSON`
  return [
    ['an array', [good], `the ${part} is not an object`],
    ['kid twice, first with another value', text.replace('"kid"', '"kid":"kid-old","kid"'), notCanonical],
    ['an escaped letter', text.replace('kid-current', String.raw`\u006bid-current`), notCanonical],
    ['a list nested 2,500 deep', '['.repeat(2500), `the ${part} is not JSON`],
    ['no UTF-8', Buffer.from(text.replace('kid-current', '\u00ff'), 'latin1'), `the ${part} is not JSON`],
  ]
}

function attacks(bench: Bench): Attack[] {
  const good = bench.label('access', bench.key.kid)
  const { oldKey, misfit, part } = bench
  return [
    ...types(good),
    ...kids(good),
    ...members(part, good),
    ...labelTexts(part, good),
    ['the kid of another key of the ring', { ...good, kid: oldKey.kid }, misfit],
  ]
}

for (const bench of BENCHES) {
  describe(`the signer of ${bench.name} tokens, given a ${bench.part} that was signed with its key`, () => {
    const payload = payloadOf(bench, 'access', STATEFUL)
    let signer: TokenSigner
    before(async () => {
      signer = await openSigner(bench)
    })

    for (const [wrong, label, detail] of attacks(bench)) {
      it(`refuses: ${wrong}`, async () => {
        const token = bench.forge(label, payload, bench.key)
        expect(detailOf(await signer.verify('access', token, NOW))).to.equal(detail)
      })
    }

    it('accepts the members in any order, since a signer of a different version may use a different order', async () => {
      const turned = Object.entries(bench.label('access', bench.key.kid)).reverse()
      const token = bench.forge(Object.fromEntries(turned), payload, bench.key)
      expect((await signer.verify('access', token, NOW)).kind).to.equal('valid')
    })

    it('rejects values that are not strings', async () => {
      const good = withPayload(bench, STATEFUL)
      for (const token of [undefined, null, 42, {}, [good], Buffer.from(good)]) {
        const verification = await signer.verify('access', token as string, NOW)
        expect(detailOf(verification)).to.equal('the token is not a string')
      }
    })
  })
}
