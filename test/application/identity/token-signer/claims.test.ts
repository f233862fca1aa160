import { expect } from 'chai'
import type { TokenSigner } from '../../../../src/ports/token-signer.js'
import { WORKPLACES } from '../../../support/tokens/benches.js'
import {
  claimsOf,
  detailOf,
  ISSUED,
  ISSUER,
  LONGEST,
  MODES,
  NOW,
  openSigner,
  payloadOf,
  STATEFUL,
  withPayload,
  without,
  type Bench,
  type Mode,
} from '../../../support/tokens/token-bench.js'

/** Title, the payload as an object, JSON text or bytes, and the one detail that the log gets. */
type Attack = readonly [title: string, payload: unknown, detail: string]

const NOT_CANONICAL = 'the payload is not canonical JSON'
const TOO_LONG_LIVED = 'the lifetime is longer than the configured one'

/** Registered claims, whose types the library may look at first. */
function registered(bench: Bench, good: object): Attack[] {
  const { mistyped } = bench
  const subjects = [42, null, ['42'], {}, true].map((sub): Attack => [
    `sub ${JSON.stringify(sub)}`,
    { ...good, sub },
    mistyped ?? '"sub" is not an account id',
  ])
  const ids = [1, null, ['a'], {}, true].map((jti): Attack => [
    `jti ${JSON.stringify(jti)}`,
    { ...good, jti },
    mistyped ?? '"jti" is not a name',
  ])
  return [
    ...subjects,
    ...ids,
    ['iss as an array', { ...good, iss: [ISSUER] }, mistyped ?? 'another issuer'],
    ['iss null', { ...good, iss: null }, mistyped ?? 'another issuer'],
    ['aud as an array', { ...good, aud: [`${ISSUER}/access`] }, mistyped ?? 'another audience'],
    ['no exp', without({ ...good }, 'exp'), mistyped ?? 'the payload lacks "exp"'],
  ]
}

function names(good: object): Attack[] {
  const subjects = ['0', '-1', '+1', '042', '4.2', '1e3', ' 42', '42 ', '', '0x2a', '٤٢', '9007199254740992']
  return [
    ...subjects.map((sub): Attack => [`sub "${sub}"`, { ...good, sub }, '"sub" is not an account id']),
    ...[1, '', null, ['a'], {}, true].map((sid): Attack => [
      `sid ${JSON.stringify(sid)}`,
      { ...good, sid },
      '"sid" is not a name',
    ]),
    ['jti empty', { ...good, jti: '' }, '"jti" is not a name'],
    ['another iss', { ...good, iss: 'https://evil.example' }, 'another issuer'],
    ['iss with a slash', { ...good, iss: `${ISSUER}/` }, 'another issuer'],
    ['iss in capitals', { ...good, iss: ISSUER.toUpperCase() }, 'another issuer'],
    ['aud of refresh tokens', { ...good, aud: `${ISSUER}/refresh` }, 'another audience'],
    ['aud of another issuer', { ...good, aud: 'https://evil.example/access' }, 'another audience'],
    ['aud without the kind', { ...good, aud: ISSUER }, 'another audience'],
  ]
}

function times(bench: Bench, good: object): Attack[] {
  const time = (seconds: number) => bench.time(seconds)
  return [
    ['nbf before iat', { ...good, nbf: time(ISSUED - 1) }, '"nbf" differs from "iat"'],
    ['nbf after iat', { ...good, nbf: time(ISSUED + 1) }, '"nbf" differs from "iat"'],
    ['exp equal to iat', { ...good, exp: time(ISSUED) }, '"exp" is not after "iat"'],
    ['exp before iat', { ...good, exp: time(ISSUED - 1) }, '"exp" is not after "iat"'],
    ['times before 1970', { ...good, iat: time(-1), nbf: time(-1), exp: time(800) }, '"iat" is not a time'],
    ['a second more than the lifetime', { ...good, exp: time(ISSUED + 901) }, TOO_LONG_LIVED],
    ['the lifetime of a refresh token', { ...good, exp: time(ISSUED + 604_800) }, TOO_LONG_LIVED],
  ]
}

function texts(good: object): Attack[] {
  const text = JSON.stringify(good)
  const twice = (member: string) => text.replace('"sub":"42"', `${member},"sub":"42"`)
  return [
    ['sub twice, the first another', twice('"sub":"1"'), NOT_CANONICAL],
    ['sub twice, both the same', twice('"sub":"42"'), NOT_CANONICAL],
    ['sid twice, once escaped', twice(String.raw`"s\u0069d":"session-1"`), NOT_CANONICAL],
    ['an escaped letter', text.replace('session-1', String.raw`\u0073ession-1`), NOT_CANONICAL],
    ['an escaped slash', text.replace('kennel.example/', String.raw`kennel.example\/`), NOT_CANONICAL],
    ['spaces', JSON.stringify(good, null, 1), NOT_CANONICAL],
    ['a space before', ` ${text}`, NOT_CANONICAL],
    ['a line end after', `${text}\n`, NOT_CANONICAL],
    ['an unknown member', { ...good, admin: true }, 'the payload has an unknown member'],
    ['an unknown member that is null', { ...good, actor: null }, 'the payload has an unknown member'],
    [
      '__proto__ besides',
      text.replace('{', '{"__proto__":{"admin":true},'),
      'the payload has an unknown member',
    ],
  ]
}

/** Payloads without valid members, which the first check refuses. */
function shapes({ mistyped, misfit }: Bench, good: object): Attack[] {
  const library = mistyped === undefined ? undefined : misfit
  const notJson = library ?? 'the payload is not JSON'
  const text = JSON.stringify(good)
  return [
    ...['"text"', 'null', '42', 'true', `[${text}]`].map((payload): Attack => [
      payload.slice(0, 10),
      payload,
      library ?? 'the payload is not an object',
    ]),
    ['nothing but __proto__', '{"__proto__":{"sub":"1"}}', mistyped ?? 'the payload lacks "iss"'],
    ['an empty object', '{}', mistyped ?? 'the payload lacks "iss"'],
    ['no JSON', 'text', notJson],
    ['half of it', text.slice(0, -9), notJson],
    ['two of it', text + text, notJson],
    ['a list nested 2,500 deep', '['.repeat(2500), notJson],
    ['no UTF-8', Buffer.from(text.replace('42', '\u00ff'), 'latin1'), notJson],
    ['a byte order mark before', `\ufeff${text}`, 'the payload is not JSON'],
  ]
}

function attacks(bench: Bench, mode: Mode): Attack[] {
  const good = payloadOf(bench, 'access', mode)
  const lacking = Object.keys(good)
    .filter((name) => name !== 'exp')
    .map((name): Attack => [`no ${name}`, without(good, name), `the payload lacks "${name}"`])
  return [
    ...lacking,
    ...registered(bench, good),
    ...names(good),
    ...times(bench, good),
    ...texts(good),
    ...shapes(bench, good),
  ]
}

for (const { bench, mode, title } of WORKPLACES) {
  describe(`${title}, and claims really signed with our key`, () => {
    const label = bench.label('access', bench.key.kid)
    let signer: TokenSigner
    before(async () => {
      signer = await openSigner(bench, { mode })
    })

    it('accepts the unchanged claims', async () => {
      const verification = await signer.verify('access', withPayload(bench, mode), NOW)
      expect(verification).to.deep.equal({ kind: 'valid', claims: claimsOf('access', mode) })
    })

    for (const [wrong, payload, detail] of attacks(bench, mode)) {
      it(`refuses: ${wrong}`, async () => {
        const token = bench.forge(label, payload, bench.key)
        expect(detailOf(await signer.verify('access', token, NOW))).to.equal(detail)
      })
    }

    it('takes any order of members, since a signer of another version may have another', async () => {
      const turned = Object.entries(payloadOf(bench, 'access', mode)).reverse()
      const token = bench.forge(label, Object.fromEntries(turned), bench.key)
      expect((await signer.verify('access', token, NOW)).kind).to.equal('valid')
    })

    it('takes the largest account id', async () => {
      const token = withPayload(bench, mode, { sub: '9007199254740991' })
      const verification = await signer.verify('access', token, NOW)
      expect(verification).to.have.nested.property('claims.subject', Number.MAX_SAFE_INTEGER)
    })

    it('refuses a token of more than 8,192 characters, and accepts the next shorter token', async () => {
      let sid = 'x'.repeat(5000)
      while (withPayload(bench, mode, { sid }).length <= LONGEST) sid += 'x'
      const long = withPayload(bench, mode, { sid })
      expect(detailOf(await signer.verify('access', long, NOW))).to.equal('the token is too long')
      const verification = await signer.verify('access', withPayload(bench, mode, { sid: sid.slice(1) }), NOW)
      expect(verification).to.have.nested.property('claims.sessionId', sid.slice(1))
    })

    it('refuses tokens of the other mode', async () => {
      const other = MODES.find((one) => one !== mode)!
      const expected = mode === STATEFUL ? 'the payload has an unknown member' : 'the payload lacks "email"'
      const verification = await signer.verify('access', withPayload(bench, other), NOW)
      expect(detailOf(verification)).to.equal(expected)
    })
  })
}
