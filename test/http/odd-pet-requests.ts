import type { Call } from '../support/http/client.js'
import { basic, encoded, PETS } from '../support/http/pet-calls.js'
import { PASSWORD } from '../support/http/service.js'
import type { Clients, Send } from './recorded-requests.js'

type Headers = NonNullable<Call['headers']>

const MERGE = 'application/merge-patch+json'

export async function sendOddPetRequests(clients: Clients): Promise<void> {
  const { program } = clients
  for (const name of ['Rex', 'Max']) await program('POST', PETS, { name })
  await paths(clients)
  await reads(program)
  await drafts(program)
  await changes(program)
  await lists(clients)
  await removals(clients)
  await apiKeys(clients)
  await basicCredentials(clients)
}

const raw = (body: string, type = 'application/json'): Call => ({ body, headers: { 'Content-Type': type } })

const UNKNOWN_PATHS = [
  ...['/', '/v1', '/v1/', '/v1/pets/', '/v1/Pets', '/V1/pets', '/v2/pets', '/pets', '//v1/pets', '/v1//pets'],
  ...['/v1/pets/1/', '/v1/pets/1/traits', '/v1/pets/../../etc/passwd', '/v1/%70ets/x/y', '/health', '/api'],
  ...['/health/', '/openapi', '/favicon.ico', '/__proto__', '/constructor'],
  ...['/api/auth/nothing', '/api/auth/', '/api/auth/login/', '/api/auth/Login', '/api/auth//login'],
  ...['/API/auth/login/../nothing', '/api/auth/reset-password/token', '/api/auth/login-as/1'],
  ...['/api/auth/logout_as', '/api/project/1/delete'],
]

async function paths({ anyone, program }: Clients): Promise<void> {
  for (const path of UNKNOWN_PATHS) await anyone('POST', path)
  // Proxies send an absolute URL as the target.
  await program('GET', `http://evil.example${PETS}?limit=1`)
}

const UNKNOWN_IDS = [
  ...['3', '0', '01', '1%20', '%00', '..%2Fx', '../x', '1%2F', '{"$gt":""}', '__proto__', '1'.repeat(1024)],
  ...['%ZZ', '%FF%FE', '1;v=1'],
]

async function reads(program: Send): Promise<void> {
  for (const id of UNKNOWN_IDS)
    for (const method of ['GET', 'PATCH'])
      await program(method, `${PETS}/${id}`, method === 'GET' ? undefined : { age: 1 })
  for (const path of ['%31', '1?id=2&petId=2']) await program('GET', `${PETS}/${path}`)
  for (const tags of ['*', 'W/"1-1"', '"x", "1-1"', 'W/"x",W/"1-1" , "y"', ['"x"', '"1-1"'], '"1-2"'])
    await program('GET', `${PETS}/1`, undefined, { headers: { 'If-None-Match': tags } })
  const headers = { 'If-Modified-Since': 'Fri, 01 Jan 2100 00:00:00 GMT' }
  await program('GET', `${PETS}/1`, undefined, { headers })
}

const TEXTS = [
  ...['日本', 'e\u0301', 'é', "Robert'); DROP TABLE pets;--", '<b>&', '\\u0000', '{"$gt":""}', 'a\u2028a'],
]
const STRANGE_MEMBERS = [
  ...['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', 'revision', 'id'],
]

async function drafts(program: Send): Promise<void> {
  for (const wrong of [null, 7, true, {}, [], ['Rex'], { $gt: '' }])
    for (const draft of [{ name: wrong }, { name: 'Rex', tag: wrong }, { name: 'Rex', category: wrong }])
      await program('POST', PETS, draft)
  for (const member of [...STRANGE_MEMBERS, 'role', 'age', 'bark'])
    await program('POST', PETS, undefined, raw(`{"name":"Rex","${member}":{"polluted":true}}`))
  await program('POST', PETS, { Name: 'Rex' })
  await program('POST', PETS, { name: 'Rex', id: 7, role: 'admin' })
  const many = Object.fromEntries(Array.from({ length: 1000 }, (_, at) => [`member${at}`, at]))
  await program('POST', PETS, { name: 'Rex', ...many })
  await program('POST', PETS, undefined, raw('{"name":"Rex"}', MERGE))
  for (const keys of [
    ['a', 'b'],
    ['a', 'a'],
    ['', ''],
  ])
    await program('POST', PETS, { name: 'Rex' }, { headers: { 'Idempotency-Key': keys } })
  for (const name of TEXTS) await program('POST', PETS, { name })
  await program('POST', PETS, undefined, raw('{"name":"Rex","name":"Last"}'))
  await program('GET', PETS)
}

const WRONG_CHANGES = [
  ...[{ age: '3' }, { hunts: 'yes' }, { breed: 5 }, { Age: 1 }, { hunts: 0 }, { bark: [] }, { bark: {} }],
  ...[{ age: null }, { hunts: null }, { bark: null }, { breed: null }],
]

async function changes(program: Send): Promise<void> {
  const change = (json: unknown, call: Call = {}) => program('PATCH', `${PETS}/2`, json, call)
  for (const json of WRONG_CHANGES) await change(json)
  for (const member of [...STRANGE_MEMBERS, 'name', 'tag', 'traits', 'kind'])
    for (const body of [
      `{"${member}":1}`,
      `{"age":4,"${member}":{"polluted":1}}`,
      `{"bark":true,"${member}":null}`,
    ])
      await change(undefined, raw(body))
  const merged = [
    '{}',
    '{"age":null,"bark":null}',
    '{"age":201,"hunts":null}',
    '{"age":"3"}',
    '{"name":null}',
  ]
  for (const body of merged) await change(undefined, raw(body, MERGE))
  await change(undefined, raw('{"age":1}', 'application/json-patch+json'))
  await program('PATCH', `${PETS}/999999`, {})
  await program('GET', `${PETS}/2`)
  for (const body of ['{"age":1.0}', '{"age":2e1}', '{"age":-0}']) await change(undefined, raw(body))
  await change(undefined, raw('{"age":1}', 'Application/Merge-Patch+JSON; charset=UTF-8'))
  await change({ age: 1 }, { headers: { 'Idempotency-Key': '' } })
  for (const tags of ['*', ' * ', '"x" , "2-6","2-8"', ['"x"', '"2-9"'], 'W/"2-10"', '"1-10"', '"x"', ''])
    await change({ age: 2 }, { headers: { 'If-Match': tags } })
}

const cursorOf = (text: string) => Buffer.from(text).toString('base64url')

async function lists({ anyone, program }: Clients): Promise<void> {
  const cursor = cursorOf('p1:1')
  for (const query of [
    ...['limit=5&limit=6', 'limit=5&limit=5', 'limit=5&limit=', `cursor=${cursor}&cursor=${cursor}`],
    ...['ids=1&ids=2', `ids=1&cursor=${cursor}`, 'limit=2&offset=5&Limit=7&__proto__=x'],
    ...[`limit=2&cursor=${cursor}`, `cursor=${cursorOf(`p1:${Number.MAX_SAFE_INTEGER}`)}`],
  ])
    await program('GET', `${PETS}?${query}`)
  await program('GET', PETS, undefined, raw('{', 'text/plain'))
  await anyone('GET', `${PETS}?ids=1`)
}

async function removals({ anyone, program }: Clients): Promise<void> {
  const key = { headers: { 'Idempotency-Key': 'removed' } }
  const { headers } = await program('POST', PETS, { name: 'Tom' }, key)
  const path = (headers.location ?? '').replace(/^.*(?=\/v1\/)/, '')
  for (const credentials of [
    {},
    { 'X-API-Key': 'wrong' },
    { Cookie: 'sid=x', 'X-Authorization': 'Bearer x' },
  ])
    for (const one of [path, `${PETS}/99`, `${PETS}/x`])
      await anyone('DELETE', one, undefined, { headers: credentials })
  await program('DELETE', path, undefined, raw('{', 'text/plain'))
  await program('POST', PETS, { name: 'Tom' }, key)
  await program('POST', PETS, { name: 'Tim' }, key)
  await program('GET', path)
}

async function apiKeys({ anyone, key, freshKey }: Clients): Promise<void> {
  const other = await freshKey()
  const list = (headers: Headers, query = '') =>
    anyone('GET', `${PETS}?limit=1${query}`, undefined, { headers })
  for (const name of ['x-api-key', 'ApiKeyAuth', 'apikeyauth']) await list({ [name]: key })
  const wrong = [key.toUpperCase(), key.toLowerCase(), key.slice(0, -1), `${key}x`, `"${key}"`, '', 'x', '%']
  for (const one of [...wrong, "' or 1=1 --", '\u00e9', 'k'.repeat(9000), `${key}, ${other}`])
    await list({ 'X-API-Key': one })
  for (const name of ['X-API-Key', 'ApiKeyAuth', 'api_key']) await list({}, `&${name}=${key}`)
  await list({ Cookie: `X-API-Key=${key}; ApiKeyAuth=${key}` })
  for (const value of [`Bearer ${key}`, key]) await list({ Authorization: value, 'X-Authorization': value })
  for (const headers of [
    { 'X-API-Key': [key, key] },
    { ApiKeyAuth: ['', key, key] },
    { 'X-API-Key': key, ApiKeyAuth: key },
    { 'X-API-Key': '', ApiKeyAuth: key },
    { 'X-API-Key': [key, other] },
    { 'X-API-Key': key, ApiKeyAuth: other },
    { 'X-API-Key': key, ApiKeyAuth: 'wrong' },
    { 'X-API-Key': '', ApiKeyAuth: '' },
  ])
    await list(headers)
}

const ADA = 'ada@example.com'
const base64 = (text: string | Uint8Array) => `Basic ${Buffer.from(text).toString('base64')}`

const WRONG_BASIC = [
  ...[base64(ADA), 'Basic', 'Basic ', `Basic  ${encoded(ADA)}`, `Basic\t${encoded(ADA)}`, 'Basic %%%'],
  ...[
    'Basic _-_-',
    `${basic(ADA)} x`,
    base64(Buffer.concat([Buffer.from(`${ADA}:`), Buffer.from([0xff, 0xfe])])),
  ],
  ...[
    base64(`${ADA}:\uFEFF${PASSWORD}`),
    basic('unknown@example.com'),
    basic(''),
    basic(ADA, ''),
    basic('no email'),
  ],
  ...[basic(ADA, `${PASSWORD}x`), basic(ADA, `${PASSWORD}\u0000`), basic(ADA, 'p'.repeat(5000))],
  ...[`Basic ${ADA}:${PASSWORD}`, `Digest ${encoded(ADA)}`, `Basic ${basic(ADA)}`, encoded(ADA)],
]

async function basicCredentials({ anyone }: Clients): Promise<void> {
  const list = (headers: Headers) => anyone('GET', `${PETS}?limit=1`, undefined, { headers })
  const [right, lower, bare] = [basic(ADA), basic(ADA).replace('Basic', 'bAsIc'), encoded(ADA)]
  for (const Authorization of [right, lower, basic(' ADA@Example.COM '), right.replace(/=+$/, '')])
    await list({ Authorization })
  for (const BasicAuth of [right, lower, bare, 'Bearer x', '', 'x']) await list({ BasicAuth })
  for (const Authorization of WRONG_BASIC) await list({ Authorization })
  for (const headers of [
    { Authorization: [right, right] },
    { BasicAuth: ['', right, bare] },
    { Authorization: lower, BasicAuth: bare },
    { Authorization: right, BasicAuth: '' },
    { Authorization: '', BasicAuth: right },
    { Authorization: [right, basic('bob@example.com')] },
    { Authorization: right, BasicAuth: basic('bob@example.com') },
    { Authorization: right, BasicAuth: 'x' },
    { Authorization: [right, 'Basic'] },
    { Authorization: '', BasicAuth: '' },
  ])
    await list(headers)
}
