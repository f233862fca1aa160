import { gzipSync, deflateSync } from 'node:zlib'
import { expect } from 'chai'
import type { Call } from '../../support/http/client.js'
import { PASSWORD, startService, type TestService } from '../../support/http/service.js'
import {
  CREATE_PROJECT,
  GET_IDENTITY,
  LOGIN,
  LOGOUT,
  newcomer,
  PROJECT,
  REFRESH,
  setCookies,
} from '../../support/http/browser.js'
import { loggedOut, notSaved } from '../../support/http/expected.js'
import { PROTECTED_BODIES, PROTECTED_ROUTES, refusedAt } from '../../support/http/protected-routes.js'

const JSON_TYPE = { 'Content-Type': 'application/json' }
const format = (message: string) => ({ message, field: '', type: 'Format' })
const NOT_JSON = format('The body is not valid JSON in UTF-8.')
const NO_OBJECT = format('The body must be a JSON object.')
const NO_BODY = format('A JSON object is required as the body.')
const OTHER_TYPE = format('The body must be application/json in UTF-8.')
const OTHER_CODING = format('This content encoding is not supported.')
const TOO_LARGE = { message: 'The body is too large.', field: '', type: 'Length' }
const NOT_ACCEPTABLE = format('Only application/json can be sent.')

type Message = ReturnType<typeof format>
type Case = readonly [what: string, status: number, message: Message, call: Call]

const text = (body: string | Uint8Array, headers: Record<string, string> = {}): Call => ({
  headers: { ...JSON_TYPE, ...headers },
  body,
})
const typed = (type: string): Call => ({ headers: { 'Content-Type': type }, body: '{}' })
const deep = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`

const CASES: readonly Case[] = [
  ['no body, but a type', 400, NO_BODY, { headers: JSON_TYPE }],
  ['no body and no type', 400, NO_BODY, {}],
  ['blanks', 400, NOT_JSON, text('   ')],
  ['half an object', 400, NOT_JSON, text('{"email":')],
  ['two objects', 400, NOT_JSON, text('{}{}')],
  ['a comment', 400, NOT_JSON, text('{/* */}')],
  ['a trailing comma', 400, NOT_JSON, text('{"email":"a",}')],
  ['NaN', 400, NOT_JSON, text('{"email":NaN}')],
  ['a byte order mark', 400, NOT_JSON, text('\uFEFF{}')],
  ['broken UTF-8', 400, NOT_JSON, text(Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d]))],
  [
    'an overlong UTF-8 form',
    400,
    NOT_JSON,
    text(Buffer.from([0x7b, 0x22, 0xc0, 0xaf, 0x22, 0x3a, 0x31, 0x7d])),
  ],
  ['UTF-16', 400, NOT_JSON, text(Buffer.from('{}', 'utf16le'))],
  ['an array', 400, NO_OBJECT, text('[{"email":"a@example.com"}]')],
  ['null', 400, NO_OBJECT, text('null')],
  ['a string', 400, NO_OBJECT, text('"email"')],
  ['a number', 400, NO_OBJECT, text('1')],
  ['true', 400, NO_OBJECT, text('true')],
  ['an array 6,000 deep', 400, NO_OBJECT, text(deep(6000))],
  ['10,000 opening brackets', 400, NOT_JSON, text('['.repeat(10_000))],
  [
    'a form',
    415,
    OTHER_TYPE,
    { headers: { 'Content-Type': 'application/x-www-form-urlencoded' }, body: 'email=a' },
  ],
  ['a multipart form', 415, OTHER_TYPE, typed('multipart/form-data; boundary=x')],
  ['text/plain', 415, OTHER_TYPE, typed('text/plain')],
  ['text/plain that names JSON', 415, OTHER_TYPE, typed('text/plain; application/json')],
  ['text/json', 415, OTHER_TYPE, typed('text/json')],
  ['merge-patch', 415, OTHER_TYPE, typed('application/merge-patch+json')],
  ['a problem', 415, OTHER_TYPE, typed('application/problem+json')],
  ['no type', 415, OTHER_TYPE, { body: '{}' }],
  ['an empty type', 415, OTHER_TYPE, typed('')],
  ['charset latin1', 415, OTHER_TYPE, typed('application/json; charset=iso-8859-1')],
  ['charset utf-16', 415, OTHER_TYPE, typed('application/json; charset=utf-16')],
  ['charset utf-7', 415, OTHER_TYPE, typed('application/json; charset="utf-7"')],
  ['an unknown coding', 415, OTHER_CODING, text('{}', { 'Content-Encoding': 'compress' })],
  ['two codings', 415, OTHER_CODING, text(gzipSync(gzipSync('{}')), { 'Content-Encoding': 'gzip, gzip' })],
  [
    'invalid gzip data',
    400,
    format('The body could not be read.'),
    text('{}', { 'Content-Encoding': 'gzip' }),
  ],
]

const LARGE: readonly Case[] = [
  ['17 kB', 413, TOO_LARGE, text(`{"email":"${'a'.repeat(17 * 1024)}"}`)],
  ['one byte too many', 413, TOO_LARGE, text(`{"email":"${'a'.repeat(16 * 1024 - 11)}"}`)],
  ['1 MB of password', 413, TOO_LARGE, { json: { email: 'a@example.com', password: 'x'.repeat(2 ** 20) } }],
  ['17 kB without a length', 413, TOO_LARGE, text(' '.repeat(17 * 1024), { 'Transfer-Encoding': 'chunked' })],
  ['an array 10,000 deep', 413, TOO_LARGE, text(deep(10_000))],
  [
    'a gzip bomb of 50 MB',
    413,
    TOO_LARGE,
    text(gzipSync(Buffer.alloc(50 * 2 ** 20, 0x20)), { 'Content-Encoding': 'gzip' }),
  ],
  [
    'a deflate bomb',
    413,
    TOO_LARGE,
    text(deflateSync(Buffer.alloc(2 ** 20, 0x20)), { 'Content-Encoding': 'deflate' }),
  ],
]

describe('a request body', () => {
  let service: TestService
  before(async () => {
    service = await startService()
  })
  after(() => service.close())

  for (const path of [LOGIN, REFRESH]) {
    for (const [what, status, message, call] of [...CASES, ...LARGE]) {
      it(`is rejected by ${path} with ${String(status)}: ${what}`, async () => {
        const reply = await service.client.call('POST', path, call)
        expect(reply.status).to.equal(status)
        expect(reply.json).to.deep.equal(loggedOut(status, message))
        expect(setCookies(reply)).to.deep.equal([])
      })
    }
  }

  for (const [what, status, message, call] of [...CASES, ...LARGE].filter(
    ([one]) => !one.startsWith('no body'),
  )) {
    it(`is rejected by ${LOGOUT} with ${String(status)}, and ends no session: ${what}`, async () => {
      const browser = await newcomer(service)
      const reply = await browser.send('POST', LOGOUT, call)
      expect(reply.json).to.deep.equal(loggedOut(status, message))
      expect((await browser.getIdentity()).status).to.equal(200)
    })
  }

  const packed = gzipSync('')
  const EMPTY: readonly (readonly [what: string, call: Call])[] = [
    ['no body at all', {}],
    ['a length of 0', { headers: { 'Content-Length': '0' } }],
    ['a length of 0 and a type', { headers: { 'Content-Length': '0', 'Content-Type': 'text/plain' } }],
    ['an empty chunked message', { headers: { 'Transfer-Encoding': 'chunked' }, body: '' }],
    ['an empty chunked message of JSON', text('', { 'Transfer-Encoding': 'chunked' })],
    [
      'an empty chunked form',
      { headers: { 'Transfer-Encoding': 'chunked', 'Content-Type': 'multipart/form-data' }, body: '' },
    ],
    ['compressed empty data', { headers: { 'Content-Encoding': 'gzip' }, body: packed }],
  ]
  for (const [what, call] of EMPTY) {
    it(`may be empty for ${LOGOUT}, which means an empty object: ${what}`, async () => {
      const browser = await newcomer(service)
      expect((await browser.send('POST', LOGOUT, call)).status).to.equal(200)
      expect((await browser.getIdentity()).status).to.equal(401)
    })
  }

  it('is rejected as missing if it is required and empty, chunked or not', async () => {
    for (const call of [
      {},
      text('', { 'Transfer-Encoding': 'chunked' }),
      text('', { 'Content-Length': '0' }),
    ]) {
      const reply = await service.client.call('POST', LOGIN, call)
      expect(reply.json).to.deep.equal(loggedOut(400, NO_BODY))
    }
  })

  for (const { path } of PROTECTED_BODIES) {
    it(`is rejected by ${path} for each kind of error, and nothing changes`, async () => {
      const browser = await newcomer(service, ['admin'])
      // The body of a new project may be larger.
      for (const [what, status, message, call] of path === CREATE_PROJECT ? CASES : [...CASES, ...LARGE]) {
        const reply = await browser.send('POST', path, call)
        expect([reply.status, reply.json], what).to.deep.equal([status, refusedAt(path, status, message)])
        expect(setCookies(reply), what).to.deep.equal([])
      }
      expect((await browser.getIdentity()).status).to.equal(200)
    })
  }

  it('of a project may have 64 kB and no more, even after decompression', async () => {
    const browser = await newcomer(service, ['admin'])
    const padded = (size: number) => JSON.stringify(PROJECT).padEnd(size, ' ')
    const create = (call: Call) => browser.send('POST', CREATE_PROJECT, call)
    const packed = { 'Content-Encoding': 'gzip' }
    expect((await create(text(padded(64 * 1024)))).status).to.equal(201)
    expect((await create(text(gzipSync(padded(64 * 1024)), packed))).status).to.equal(201)
    for (const call of [text(padded(64 * 1024 + 1)), text(gzipSync(padded(64 * 1024 + 1)), packed)]) {
      const reply = await create(call)
      expect(reply.json).to.deep.equal(notSaved(413, TOO_LARGE))
    }
  })

  it('may have 16 kB, may be compressed, and may name its charset', async () => {
    const { email } = await newcomer(service)
    const body = JSON.stringify({ email, password: PASSWORD })
    const good: Call[] = [
      text(body.padEnd(16 * 1024, ' ')),
      text(gzipSync(body), { 'Content-Encoding': 'gzip' }),
      text(body, { 'Transfer-Encoding': 'chunked' }),
      text(body, { 'Content-Type': 'application/json; charset=utf-8' }),
      text(body, { 'Content-Type': 'application/json;charset="UTF-8"' }),
      text(body, { 'Content-Type': 'Application/JSON' }),
    ]
    for (const call of good) expect((await service.client.call('POST', LOGIN, call)).status).to.equal(200)
  })
})

describe('a reply', () => {
  let service: TestService
  before(async () => {
    service = await startService()
  })
  after(() => service.close())

  for (const accept of [
    'text/html',
    'application/xml',
    'application/json;q=0',
    'text/*',
    'image/png, text/html',
    'application/json;charset=utf-8;q=0, */*',
    '*;q=0',
    'application/*;q=0, *',
    'text/html; a="application/json, */*"',
    'application/jsonp',
    '**',
  ]) {
    it(`is 406 to clients that accept only ${accept}`, async () => {
      const browser = await newcomer(service, ['admin'])
      const headers = { Accept: accept }
      const shown = loggedOut(406, NOT_ACCEPTABLE)
      const json = { email: browser.email, password: PASSWORD, refreshToken: browser.held().refreshToken }
      expect((await browser.send('GET', GET_IDENTITY, { headers })).json).to.deep.equal(shown)
      for (const path of [LOGIN, REFRESH, LOGOUT]) {
        expect((await browser.send('POST', path, { headers, json })).json).to.deep.equal(shown)
      }
      for (const { method, path, json: body } of PROTECTED_ROUTES) {
        const reply = await browser.send(method, path, { headers, ...(body !== undefined && { json: body }) })
        expect(reply.json, path).to.deep.equal(refusedAt(path, 406, NOT_ACCEPTABLE))
      }
      expect((await browser.getIdentity()).status).to.equal(200)
    })
  }

  for (const accept of [
    '*/*',
    'application/*',
    'application/json',
    'text/html, */*;q=0.1',
    '',
    'application/json; charset=utf-8',
    'Application/JSON;version="1, 2;q=0";q=0.5',
    'application/json;profile=x;indent=2;q=1',
    'application/*; charset=utf-8',
    '*',
    'text/html, *;q=0.1',
    'image/gif, *; q=.2, */*; q=.2',
    'application/json;q=0.1, */*;q=0',
  ]) {
    it(`is JSON to clients that accept "${accept}"`, async () => {
      const browser = await newcomer(service)
      const reply = await browser.send('GET', GET_IDENTITY, { headers: { Accept: accept } })
      expect(reply.status).to.equal(200)
      expect(reply.headers['content-type']).to.equal('application/json; charset=utf-8')
    })
  }
})
