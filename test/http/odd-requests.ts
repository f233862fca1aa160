import { gzipSync, deflateSync } from 'node:zlib'

import { CREATE_PROJECT, GET_IDENTITY, LOGIN, LOGOUT, PROJECT, REFRESH } from '../support/http/browser.js'
import type { Call } from '../support/http/client.js'
import { EVERY_PROTECTED_ROUTE } from '../support/http/protected-routes.js'
import { RESET_PASSWORD } from '../support/http/resetting.js'
import { PASSWORD } from '../support/http/service.js'
import { sendOddLogins } from './odd-logins.js'
import { sendOddPetRequests } from './odd-pet-requests.js'
import type { Clients } from './recorded-requests.js'

type Headers = NonNullable<Call['headers']>

const BAD_TOKEN = { 'X-Authorization': 'Bearer forged' }
const EVIL = { Origin: 'https://evil.example' }
const FOREIGN = { 'Sec-Fetch-Site': 'cross-site' }
const PLAIN = { 'Content-Type': 'text/plain' }
const JSON_TYPE = { 'Content-Type': 'application/json' }
const LARGE = 'x'.repeat(20_000)

/** Sends malformed and unusual requests; the replies are the same in all modes. */
export async function sendOddRequests(clients: Clients): Promise<void> {
  await oddBodies(clients)
  await twoErrors(clients)
  await oddCredentials(clients)
  await sendOddPetRequests(clients)
  await sendOddLogins(clients)
}

const bytes = (...codes: number[]) => Buffer.from([0x7b, 0x22, ...codes, 0x22, 0x3a, 0x31, 0x7d])
const deep = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`

const BODIES: readonly (string | Uint8Array)[] = [
  ...[
    '   ',
    '{"email":',
    '{}{}',
    '{/* */}',
    '{"email":"a",}',
    '{"email":NaN}',
    '\uFEFF{}',
    '['.repeat(10_000),
  ],
  ...[bytes(0xff, 0xfe), bytes(0xc0, 0xaf), Buffer.from('{}', 'utf16le')],
  ...['[{"email":"a@example.com"}]', 'null', '"email"', '1', 'true', deep(6000)],
  ...[`{"email":"${'a'.repeat(17 * 1024)}"}`, `{"email":"${'a'.repeat(16 * 1024 - 11)}"}`, deep(10_000)],
]

const TYPES = [
  ...['application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', 'text/plain', 'text/json', ''],
  ...['text/plain; application/json', 'application/merge-patch+json', 'application/problem+json'],
  ...['application/json; charset=iso-8859-1', 'application/json; charset=utf-16'],
  'application/json; charset="utf-7"',
]

async function oddBodies({ anyone, bob }: Clients): Promise<void> {
  await bob('POST', LOGIN, { email: 'bob@example.com', password: PASSWORD })
  for (const [path, send] of [
    [LOGIN, anyone],
    [LOGOUT, bob],
  ] as const) {
    const text = (body: string | Uint8Array, headers: Headers = {}) =>
      send('POST', path, undefined, { headers: { ...JSON_TYPE, ...headers }, body })
    for (const body of BODIES) await text(body)
    await text(' '.repeat(17 * 1024), { 'Transfer-Encoding': 'chunked' })
    for (const type of TYPES) await text('{}', { 'Content-Type': type })
    await send('POST', path, undefined, { body: '{}' })
    for (const coding of ['compress', 'gzip']) await text('{}', { 'Content-Encoding': coding })
    await text(gzipSync(gzipSync('{}')), { 'Content-Encoding': 'gzip, gzip' })
    await text(gzipSync(Buffer.alloc(50 * 2 ** 20, 0x20)), { 'Content-Encoding': 'gzip' })
    await text(deflateSync(Buffer.alloc(2 ** 20, 0x20)), { 'Content-Encoding': 'deflate' })
  }
  await anyone('POST', LOGIN)
  await anyone('POST', LOGIN, undefined, { headers: JSON_TYPE })
  const chunked = { ...JSON_TYPE, 'Transfer-Encoding': 'chunked' }
  await anyone('POST', LOGIN, undefined, { headers: chunked, body: '' })
  for (const { path, json } of EVERY_PROTECTED_ROUTE)
    if (json) await bob('POST', path, undefined, { headers: JSON_TYPE, body: '[]' })
}

/** Each request has several errors; the check that runs first decides the reply. */
async function twoErrors({ anyone, bob, cleo }: Clients): Promise<void> {
  const all = { ...BAD_TOKEN, ...EVIL, ...PLAIN }
  await anyone('POST', '/api/auth/nothing', undefined, { headers: BAD_TOKEN })
  await anyone('GET', LOGIN, undefined, { headers: all })
  await anyone('POST', GET_IDENTITY, undefined, { headers: BAD_TOKEN })
  for (const path of [LOGIN, REFRESH, LOGOUT, RESET_PASSWORD]) {
    await anyone('POST', path, undefined, { headers: all, body: LARGE })
    await anyone('POST', path, undefined, { headers: BAD_TOKEN, body: '{' })
    await anyone('POST', path, undefined, { headers: PLAIN, body: LARGE })
    await anyone('POST', path, undefined, { headers: PLAIN, body: '{' })
  }
  for (const path of [LOGIN, RESET_PASSWORD])
    for (const headers of [EVIL, { ...EVIL, ...PLAIN }, { Origin: 'null' }, FOREIGN])
      await anyone('POST', path, undefined, { headers, body: '{' })
  await anyone('GET', GET_IDENTITY, undefined, { headers: BAD_TOKEN })
  for (const { method, path, json } of EVERY_PROTECTED_ROUTE) {
    const body = json && { body: '{' }
    await anyone(method, path, undefined, { headers: all, ...body })
    await anyone(method, path, undefined, { headers: { ...EVIL, ...(json && PLAIN) }, ...body })
    if (json) await bob(method, path, undefined, { headers: PLAIN, ...body })
  }
  // Cleo does not have the permission.
  await cleo('POST', LOGIN, { email: 'cleo@example.com', password: PASSWORD })
  for (const body of ['{', '[]', '{}'])
    await cleo('POST', CREATE_PROJECT, undefined, { headers: JSON_TYPE, body })
}

/** Requests with a credential that is ambiguous, malformed or in the wrong place. */
async function oddCredentials({ anyone, bob, heldBy }: Clients): Promise<void> {
  await bob('POST', LOGIN, { email: 'bob@example.com', password: PASSWORD })
  const { cookie = '', accessToken: token = '', refreshToken = '' } = heldBy('bob')
  const authorizations: Headers[string][] = [
    [`Bearer ${token}`, 'Bearer another'],
    [`Bearer ${token}`, `Bearer ${token}`],
    ...['', 'Bearer', token, `Basic ${token}`, `Bearer  ${token}`, `Bearer\t${token}`, `Bearer \t${token}`],
    ...[`Bearer\u00a0${token}`, `Bearer ${token}\u00e9`, `Bearer ${token} x`, `Bearer "${token}"`],
    ...[`Bearer ${token}=`, `Bearer ${token}, Bearer ${token}`, `Bearer ${token}${'A'.repeat(9000)}`],
    `Bearer ${refreshToken}`,
  ]
  const bearer = { 'X-Authorization': `Bearer ${token}` }
  const cookies = [`${cookie}; sid=another`, `${cookie}; ${cookie}`, `sid=; theme=dark; ${cookie}`]
  const ambiguous: readonly Headers[] = [
    ...authorizations.map((value) => ({ Cookie: cookie, 'X-Authorization': value })),
    ...cookies.map((Cookie) => ({ Cookie, ...bearer })),
    { Cookie: cookie },
    bearer,
    { Cookie: cookie, Authorization: `Bearer ${token}` },
    { Cookie: cookie, 'X-Authorisation': `Bearer ${token}` },
  ]
  for (const headers of ambiguous) await anyone('GET', GET_IDENTITY, undefined, { headers })
  for (const headers of ambiguous.slice(0, -4)) await anyone('POST', REFRESH, { refreshToken }, { headers })
  for (const headers of ambiguous) {
    await anyone('POST', CREATE_PROJECT, PROJECT, { headers })
    await anyone('POST', LOGOUT, {}, { headers })
  }
  for (const query of [`jwt=${token}&access_token=${token}`, `X-Authorization=Bearer%20${token}`])
    await anyone('GET', `${GET_IDENTITY}?${query}`, undefined, { headers: { Cookie: cookie } })
  const smuggled = { jwt: token, accessToken: token, sid: cookie.slice(4), 'X-Authorization': token }
  await anyone('POST', LOGOUT, smuggled, { headers: { Cookie: cookie } })
  await anyone('POST', REFRESH, { ...smuggled, refreshToken })
  for (const { path, json } of EVERY_PROTECTED_ROUTE)
    if (json) await anyone('POST', path, { ...json, ...smuggled }, { headers: { Cookie: cookie } })
  for (const scheme of ['bearer', 'BEARER', 'bEaReR']) {
    const headers = { Cookie: cookie, 'x-authorization': `${scheme} ${token}` }
    await anyone('GET', GET_IDENTITY, undefined, { headers })
  }
  // Shows that the session still exists after all these requests.
  await bob('GET', GET_IDENTITY, undefined, { headers: { Authorization: 'Bearer rubbish' } })
}
