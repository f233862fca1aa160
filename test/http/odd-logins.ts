import { gzipSync } from 'node:zlib'
import {
  CREATE_PROJECT,
  credentials,
  GET_IDENTITY,
  LOGIN,
  LOGOUT,
  PROJECT,
  REFRESH,
} from '../support/http/browser.js'
import type { Call } from '../support/http/client.js'
import { PETS } from '../support/http/pet-calls.js'
import { EVERY_PROTECTED_ROUTE } from '../support/http/protected-routes.js'
import { PASSWORD } from '../support/http/service.js'
import type { Clients, Send } from './recorded-requests.js'

type Headers = NonNullable<Call['headers']>

const as = (name: string) => ({ email: `${name}@example.com`, password: PASSWORD })
const JSON_TYPE = { 'Content-Type': 'application/json' }
const CHUNKED = { 'Transfer-Encoding': 'chunked' }
const text = (body: string | Uint8Array, headers: Headers = {}): Call => ({
  headers: { ...JSON_TYPE, ...headers },
  body,
})

/** Unusual requests from logged-in clients. */
export async function sendOddLogins(clients: Clients): Promise<void> {
  const { bob, heldBy } = clients
  await bob('POST', REFRESH, { refreshToken: heldBy('bob').refreshToken })
  await emptyBodies(clients)
  await goodBodies(clients)
  await forgedHosts(clients)
  await otherMethods(clients)
  await disguisedCookies(clients)
  await oddMembers(clients)
  await mixedSessions(clients)
  await endedSession(clients)
}

/** Several ways to send an empty body, which the service reads as an empty object. */
const EMPTY: readonly Call[] = [
  { headers: { 'Content-Length': '0' } },
  { headers: { 'Content-Length': '0', 'Content-Type': 'text/plain' } },
  { headers: CHUNKED, body: '' },
  text('', CHUNKED),
  text('', { ...CHUNKED, 'Content-Type': 'multipart/form-data' }),
  { headers: { 'Content-Encoding': 'gzip' }, body: gzipSync('') },
]

async function emptyBodies({ bob }: Clients): Promise<void> {
  for (const call of EMPTY) {
    await bob('POST', LOGOUT, undefined, call)
    await bob('POST', LOGIN, as('bob'))
  }
}

/** Bodies of the maximum size, and all content types for JSON in UTF-8. */
async function goodBodies({ anyone, bob }: Clients): Promise<void> {
  const login = JSON.stringify(as('bob'))
  const types = ['application/json; charset=utf-8', 'application/json;charset="UTF-8"', 'Application/JSON']
  for (const call of [
    text(login.padEnd(16 * 1024)),
    text(login, CHUNKED),
    text(gzipSync(login), { 'Content-Encoding': 'gzip' }),
    ...types.map((type) => text(login, { 'Content-Type': type })),
  ])
    await anyone('POST', LOGIN, undefined, call)
  const project = JSON.stringify(PROJECT)
  for (const size of [64 * 1024, 64 * 1024 + 1])
    await bob('POST', CREATE_PROJECT, undefined, text(project.padEnd(size)))
}

/** Headers that do not change links, the token issuer or the cookie. */
const FORGED = {
  Host: 'evil.example',
  'X-Forwarded-Host': 'evil.example',
  'X-Forwarded-Proto': 'https',
  'X-Forwarded-For': '203.0.113.7',
  Forwarded: 'host=evil.example;proto=https',
}

async function forgedHosts({ anyone, bob, program }: Clients): Promise<void> {
  const call = { headers: FORGED }
  await anyone('POST', LOGIN, as('bob'), call)
  await bob('GET', GET_IDENTITY, undefined, call)
  await program('POST', PETS, { name: 'Rex' }, call)
  await program('GET', `${PETS}?limit=1`, undefined, call)
}

async function otherMethods({ anyone, bob }: Clients): Promise<void> {
  for (const name of ['X-HTTP-Method-Override', 'X-HTTP-Method', 'X-Method-Override']) {
    await bob('GET', `${LOGOUT}?_method=POST`, undefined, { headers: { [name]: 'POST' } })
    await bob('POST', GET_IDENTITY, undefined, { headers: { [name]: 'GET' } })
  }
  for (const send of [anyone, bob])
    for (const { method, path } of EVERY_PROTECTED_ROUTE) if (method === 'GET') await send('HEAD', path)
}

/** Bytes that `trim()` removes before a name but that browsers keep, so that a sibling host can set such a cookie. */
const NO_BLANKS = ['\u00a0', '\u00c2\u00a0', '\u00e2\u0080\u0080', '\u00ef\u00bb\u00bf', '\u00ff']

async function disguisedCookies({ anyone, heldBy }: Clients): Promise<void> {
  const { cookie = '', accessToken } = heldBy('bob')
  for (const byte of NO_BLANKS)
    for (const one of [
      ...[`${cookie}; ${byte}sid=evil`, `${byte}sid=evil; ${cookie}`],
      ...[`${byte}${cookie}`, `a=b; ${byte}${cookie}`],
    ])
      await anyone('GET', GET_IDENTITY, undefined, { headers: credentials({ cookie: one, accessToken }) })
}

/** Unknown members of a body have no effect, and members in a query are not read. */
async function oddMembers({ bob }: Clients): Promise<void> {
  const odd = { accountId: 1, user: 1, createdBy: 1, roles: ['admin'], email: 'ada@example.com' }
  const polluted = { ...odd, constructor: { prototype: { polluted: true } } }
  for (const { path, json } of EVERY_PROTECTED_ROUTE) {
    if (!json) continue
    const members = JSON.stringify({ ...polluted, ...json }).slice(1)
    await bob('POST', path, undefined, text(`{"__proto__":{"polluted":true},${members}`))
    await bob('POST', `${path}?${new URLSearchParams(json as Record<string, string>).toString()}`, {})
  }
}

/**
 * Requests with half of the credentials, or with the cookie and the token of different sessions. Both sessions remain
 * active.
 */
async function mixedSessions({ anyone, ada, bob, heldBy }: Clients): Promise<void> {
  await ada('POST', LOGIN, as('ada'))
  const [adas, { cookie, refreshToken }] = [heldBy('ada'), heldBy('bob')]
  const headers = credentials({ cookie, accessToken: adas.accessToken })
  await everyRoute(anyone, credentials({ cookie }))
  await everyRoute(anyone, headers)
  await anyone('GET', GET_IDENTITY, undefined, { headers })
  await anyone('POST', LOGOUT, {}, { headers })
  await anyone('POST', REFRESH, { refreshToken: adas.refreshToken }, { headers: credentials({ cookie }) })
  await anyone('POST', REFRESH, { refreshToken }, { headers })
  for (const send of [ada, bob]) await send('GET', GET_IDENTITY)
}

async function endedSession({ anyone, bob, heldBy }: Clients): Promise<void> {
  const headers = credentials(heldBy('bob'))
  await bob('POST', LOGOUT, {})
  await everyRoute(anyone, headers)
}

async function everyRoute(send: Send, headers: Headers): Promise<void> {
  for (const { method, path, json } of EVERY_PROTECTED_ROUTE) await send(method, path, json, { headers })
}
