import { expect } from 'chai'
import { createHandler, type Handler } from '../../../src/adapters/web/index.js'
import { openKennel, type Kennel } from '../../../src/index.js'
import { PASSPHRASE } from '../../support/http/service.js'

const ORIGIN = 'http://127.0.0.1:3000'
const JSON_TYPE = { 'Content-Type': 'application/json' }
const LOGIN = '/api/auth/login'
const LARGE = JSON.stringify({ email: 'a'.repeat(200_000) })

describe('a Response of the handler', () => {
  let kennel: Kennel
  let handler: Handler

  before(async () => {
    kennel = await openKennel({
      store: 'memory:',
      passphrase: PASSPHRASE,
      publicUrl: ORIGIN,
      production: false,
      background: false,
    })
    handler = createHandler(kennel)
  })
  after(() => kennel.close())

  const connectionOf = async (path: string, init: RequestInit) => {
    const reply = await handler(new Request(`${ORIGIN}${path}`, init))
    return [reply.status, reply.headers.get('Connection')]
  }
  const packed = { ...JSON_TYPE, 'Content-Encoding': 'gzip' }

  for (const [status, path, init] of [
    [413, LOGIN, { method: 'POST', headers: JSON_TYPE, body: LARGE }],
    [413, LOGIN, { method: 'POST', headers: { ...JSON_TYPE, 'Content-Length': '200000' }, body: LARGE }],
    [400, LOGIN, { method: 'POST', headers: packed, body: 'not packed at all' }],
    [400, LOGIN, { method: 'POST', headers: { ...JSON_TYPE, 'Content-Length': '9' }, body: '{}' }],
    [401, '/v1/pets', { method: 'POST', headers: JSON_TYPE, body: '{"name":"Rex"}' }],
    [415, LOGIN, { method: 'POST', headers: { 'Content-Type': 'text/plain' }, body: '{}' }],
    [415, LOGIN, { method: 'POST', headers: { ...JSON_TYPE, 'Content-Encoding': 'x' }, body: '{}' }],
    [404, '/nothing', { method: 'POST', body: '{}' }],
    [405, '/v1/pets', { method: 'PUT', body: '{}' }],
  ] as const)
    it(`closes the connection: ${status} for ${init.method} ${path} with ${Object.values(init.headers ?? {}).join(', ')}`, async () => {
      expect(await connectionOf(path, init)).to.deep.equal([status, 'close'])
    })

  for (const [status, path, init] of [
    [200, '/health/live', {}],
    [404, '/nothing', { method: 'POST' }],
    [405, '/v1/pets', { method: 'PUT' }],
    [401, '/v1/pets', { method: 'POST' }],
    [400, LOGIN, { method: 'POST', headers: JSON_TYPE, body: '{' }],
    [400, LOGIN, { method: 'POST', headers: JSON_TYPE, body: '{"email":1}' }],
    [401, LOGIN, { method: 'POST', headers: JSON_TYPE, body: '{"email":"ada@example.com","password":"x"}' }],
  ] as const)
    it(`says nothing of the connection: ${status} for ${JSON.stringify(init)} ${path}`, async () => {
      expect(await connectionOf(path, init)).to.deep.equal([status, null])
    })

  for (const [body, connection] of [
    ['{}', 'close'],
    ['', 'close'],
    [undefined, null],
  ] as const)
    it(`is 500 with Connection ${String(connection)} if it cannot be made, for the body ${String(body)}`, async () => {
      const broken = {
        ...kennel,
        httpSettings: kennel.httpSettings,
        closed: false,
        ready: () => kennel.ready(),
      }
      const request = new Request(`${ORIGIN}/nothing`, {
        method: 'POST',
        ...(body !== undefined && { body }),
      })
      Object.defineProperty(request, 'signal', {
        get: () => {
          throw new Error('a platform without signals')
        },
      })
      const reply = await createHandler(broken)(request)
      expect([reply.status, reply.headers.get('Connection')]).to.deep.equal([500, connection])
    })
})
