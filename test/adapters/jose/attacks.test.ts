import { expect } from 'chai'
import { createServer } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { TOKEN_MAX } from '../../../src/adapters/jose/compact.js'
import type { TokenSigner } from '../../../src/ports/token-signer.js'
import {
  base64url,
  detailOf,
  FOREIGN_KEY,
  forge,
  HEADER,
  ISSUED,
  ISSUER,
  KEY,
  NOW,
  openSigner,
  PAYLOAD,
} from './forge.js'

const good = forge(HEADER, PAYLOAD)
const [head = '', body = '', signature = ''] = good.split('.')

function without(members: Readonly<Record<string, unknown>>, name: string): Record<string, unknown> {
  return Object.fromEntries(Object.entries(members).filter(([key]) => key !== name))
}

/** A payload that really is signed with our key, changed in one thing. */
function withPayload(change: Readonly<Record<string, unknown>>): string {
  return forge(HEADER, { ...PAYLOAD, ...change })
}

function withHeader(change: Readonly<Record<string, unknown>>): string {
  return forge({ ...HEADER, ...change }, PAYLOAD)
}

/** Title, token, and the one detail that the log gets. */
type Attack = readonly [title: string, token: string, detail: string]

const algorithms: readonly Attack[] = [
  ...['none', 'NoNe', 'NONE', '', 'hs512', 'HS384', 'RS512', 'EdDSA'].map((alg): Attack => [
    `alg ${alg}, signed`,
    withHeader({ alg }),
    'another algorithm',
  ]),
  ...['none', 'NoNe', 'HS512'].map((alg): Attack => {
    const token = `${base64url({ ...HEADER, alg })}.${body}.`
    return [`alg ${alg}, empty signature`, token, 'a part of the token is not canonical base64url']
  }),
  ['HS256 with our key', forge({ ...HEADER, alg: 'HS256' }, PAYLOAD, KEY, 'sha256'), 'another algorithm'],
  ['HS512 in the header, HS256 signed', forge(HEADER, PAYLOAD, KEY, 'sha256'), 'the signature does not fit'],
  ['alg as an array', withHeader({ alg: ['HS512'] }), 'another algorithm'],
]

const headers: readonly Attack[] = [
  ['another passphrase', forge(HEADER, PAYLOAD, FOREIGN_KEY), 'the signature does not fit'],
  ['typ in capitals', withHeader({ typ: 'AT+JWT' }), 'another type of token'],
  ['typ with a media type', withHeader({ typ: 'application/at+jwt' }), 'another type of token'],
  ['typ JWT', withHeader({ typ: 'JWT' }), 'another type of token'],
  ['typ of a refresh token', withHeader({ typ: 'rt+jwt' }), 'another type of token'],
  ...['alg', 'typ', 'kid'].map((name): Attack => [
    `no ${name}`,
    forge(without(HEADER, name), PAYLOAD),
    `the header lacks "${name}"`,
  ]),
  ...Object.entries({
    jwk: { kty: 'oct', k: base64url('key of the attacker') },
    jku: 'http://127.0.0.1:1/keys',
    x5u: 'http://127.0.0.1:1/certificate',
    x5c: ['MIIB'],
    x5t: 'abc',
    crit: ['exp'],
    b64: false,
    zip: 'DEF',
    cty: 'JWT',
    anything: null,
  }).map(([name, value]): Attack => [
    `${name} in the header`,
    withHeader({ [name]: value }),
    'the header has an unknown member',
  ]),
  ['crit, empty', withHeader({ crit: [] }), 'the header has an unknown member'],
  ...[
    'unknown',
    'KID-CURRENT',
    ' kid-current',
    '../../etc/passwd',
    '../kid-current',
    "' OR '1'='1",
    "'; DROP TABLE sessions; --",
    '$ne',
    '__proto__',
    '',
    'k'.repeat(5000),
  ].map((kid): Attack => [`kid ${kid.slice(0, 20)}`, withHeader({ kid }), 'signed with no key of this ring']),
  ...[42, null, { $ne: '' }, ['kid-current']].map((kid): Attack => [
    `kid ${JSON.stringify(kid)}`,
    withHeader({ kid }),
    '"kid" is not a string',
  ]),
  ['kid of 10 kB', withHeader({ kid: 'k'.repeat(10_000) }), 'the token is too long'],
  ['a header that is an array', forge([HEADER], PAYLOAD), 'the header is not an object'],
  ['a header that is null', forge('null', PAYLOAD), 'the header is not an object'],
  [
    'a header with a space',
    forge(JSON.stringify(HEADER, null, 1), PAYLOAD),
    'the header is not canonical JSON',
  ],
  [
    'a header with alg twice',
    forge(`{"alg":"none","alg":"HS512","typ":"at+jwt","kid":"${KEY.kid}"}`, PAYLOAD),
    'the header is not canonical JSON',
  ],
  ['a header that is no JSON', forge('{"alg"', PAYLOAD), 'the header is not JSON'],
]

const payloads: readonly Attack[] = [
  ...Object.keys(PAYLOAD).map((name): Attack => [
    `no ${name}`,
    forge(HEADER, without(PAYLOAD, name)),
    `the payload lacks "${name}"`,
  ]),
  ['another iss', withPayload({ iss: 'https://evil.example' }), 'another issuer'],
  ['iss with a slash', withPayload({ iss: `${ISSUER}/` }), 'another issuer'],
  ['iss as an array', withPayload({ iss: [ISSUER] }), 'another issuer'],
  ['aud of refresh tokens', withPayload({ aud: `${ISSUER}/refresh` }), 'another audience'],
  ['aud as an array', withPayload({ aud: [`${ISSUER}/access`] }), 'another audience'],
  ['an unknown member', withPayload({ admin: true }), 'the payload has an unknown member'],
  [
    'a member twice',
    forge(HEADER, JSON.stringify(PAYLOAD).replace('"sub":"42"', '"sub":"1","sub":"42"')),
    'the payload is not canonical JSON',
  ],
  ['__proto__ in the payload', forge(HEADER, '{"__proto__":{"sub":"1"}}'), 'the payload lacks "iss"'],
  ['a payload that is a text', forge(HEADER, '"text"'), 'the payload is not an object'],
  ['a payload that is no JSON', forge(HEADER, 'text'), 'the payload is not JSON'],
  ['a payload nested 2,500 deep', forge(HEADER, '['.repeat(2500)), 'the payload is not JSON'],
  ...[
    42,
    '0',
    '-1',
    '+1',
    '042',
    '4.2',
    '1e3',
    ' 42',
    '42 ',
    '',
    '0x2a',
    '٤٢',
    '9007199254740992',
    null,
    ['42'],
  ].map((sub): Attack => [`sub ${JSON.stringify(sub)}`, withPayload({ sub }), '"sub" is not an account id']),
  ...['sid', 'jti'].flatMap((name) =>
    [1, '', null, ['a'], {}].map((value): Attack => [
      `${name} ${JSON.stringify(value)}`,
      withPayload({ [name]: value }),
      `"${name}" is not a name`,
    ]),
  ),
  ...['iat', 'nbf', 'exp'].flatMap((name) =>
    [String(ISSUED), ISSUED + 0.5, -1, null, true, 2 ** 53, [ISSUED]].map((value): Attack => [
      `${name} ${JSON.stringify(value)}`,
      withPayload({ [name]: value }),
      `"${name}" is not a time`,
    ]),
  ),
  ['exp 1e308', withPayload({ exp: 1e308 }), '"exp" is not a time'],
  ['nbf before iat', withPayload({ nbf: ISSUED - 1 }), '"nbf" differs from "iat"'],
  ['nbf after iat', withPayload({ nbf: ISSUED + 1 }), '"nbf" differs from "iat"'],
  ['exp equal to iat', withPayload({ exp: ISSUED }), '"exp" is not after "iat"'],
  ['exp before iat', withPayload({ exp: ISSUED - 1 }), '"exp" is not after "iat"'],
  [
    'a second more than the lifetime',
    withPayload({ exp: ISSUED + 901 }),
    'the lifetime is longer than the configured one',
  ],
  [
    'the lifetime of a refresh token',
    withPayload({ exp: ISSUED + 604_800 }),
    'the lifetime is longer than the configured one',
  ],
]

const canonical = 'a part of the token is not canonical base64url'
const shapes: readonly Attack[] = [
  ['empty', '', 'the token has not three parts'],
  ['one part', head, 'the token has not three parts'],
  ['two parts', `${head}.${body}`, 'the token has not three parts'],
  ['four parts', `${good}.${signature}`, 'the token has not three parts'],
  ['four parts, the last empty', `${good}.`, 'the token has not three parts'],
  ['five parts', `${good}.a.b`, 'the token has not three parts'],
  ['three empty parts', '..', canonical],
  ['a PASETO', 'v4.public.eyJzdWIiOiI0MiJ9', canonical],
  ['padding', `${good}==`, canonical],
  ['padding in the header', `${head}=.${body}.${signature}`, canonical],
  ['the other base64 alphabet', `${head}.${body}.${signature.slice(0, -1)}+`, canonical],
  ['a space before', ` ${good}`, canonical],
  ['a line end after', `${good}\n`, canonical],
  ['a NUL after', `${good}\u0000`, canonical],
  ['non-ASCII', `${head}.${body}.é`, canonical],
  ['9 kB', 'a'.repeat(9 * 1024), 'the token is too long'],
  ['one more than 8,192 characters', 'a'.repeat(TOKEN_MAX + 1), 'the token is too long'],
  ['2 MB', `${good}${'a'.repeat(2 * 1024 * 1024)}`, 'the token is too long'],
]

describe('the jose signer, attacked', () => {
  let signer: TokenSigner
  before(async () => {
    signer = await openSigner()
  })

  it('takes the token that all of these are changed from', async () => {
    expect((await signer.verify('access', good, NOW)).kind).to.equal('valid')
  })

  for (const [title, token, detail] of [...algorithms, ...headers, ...payloads, ...shapes]) {
    it(`refuses: ${title}`, async () => {
      expect(detailOf(await signer.verify('access', token, NOW))).to.equal(detail)
    })
  }

  it('refuses what is no text at all', async () => {
    for (const token of [undefined, null, 42, {}, [good], Buffer.from(good)]) {
      const verification = await signer.verify('access', token as string, NOW)
      expect(detailOf(verification)).to.equal('the token is not a string')
    }
  })

  it('takes any order of members, since a signer of another version may have another', async () => {
    const turned = Object.fromEntries(Object.entries(PAYLOAD).reverse())
    expect((await signer.verify('access', forge(HEADER, turned), NOW)).kind).to.equal('valid')
  })

  it('takes the largest account id and the longest token', async () => {
    const largest = await signer.verify('access', withPayload({ sub: '9007199254740991' }), NOW)
    expect(largest).to.have.nested.property('claims.subject', Number.MAX_SAFE_INTEGER)
    let sid = 'x'.repeat(5_000)
    while (withPayload({ sid: `${sid}x` }).length <= TOKEN_MAX) sid += 'x'
    const longest = await signer.verify('access', withPayload({ sid }), NOW)
    expect(longest).to.have.nested.property('claims.sessionId', sid)
  })

  it('calls nobody whose address is in a token', async () => {
    let calls = 0
    const server = createServer((_, reply) => reply.end()).on('connection', () => (calls += 1))
    await once(server.listen(0, '127.0.0.1'), 'listening')
    const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
    for (const name of ['jku', 'x5u', 'iss', 'kid']) {
      await signer.verify('access', withHeader({ [name]: address }), NOW)
      await signer.verify('access', withPayload({ [name]: address }), NOW)
    }
    // The answer to a call of our own comes after whatever was on its way before.
    await (await fetch(address)).text()
    expect(calls).to.equal(1)
    server.closeAllConnections()
    await once(server.close(), 'close')
  })

  it('says nothing of the token in what the log gets', async () => {
    const secret = 'marked-secret-value'
    for (const token of [
      secret,
      `${secret}.${secret}.${secret}`,
      forge(`{"${secret}`, PAYLOAD),
      withHeader({ [secret]: secret }),
      withHeader({ alg: secret }),
      withHeader({ kid: secret }),
      forge(HEADER, `{"${secret}`),
      withPayload({ [secret]: secret }),
      withPayload({ sub: secret }),
      forge(HEADER, { ...PAYLOAD, sid: secret }, FOREIGN_KEY),
    ]) {
      expect(detailOf(await signer.verify('access', token, NOW))).to.not.include('marked')
    }
  })
})
