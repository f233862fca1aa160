import { gzipSync } from 'node:zlib'
import { expect } from 'chai'
import type { Call } from '../../support/http/client.js'
import { PASSWORD, startService, type TestService } from '../../support/http/service.js'
import { CREATE_PROJECT, LOGIN, LOGOUT, newcomer, PROJECT } from '../../support/http/browser.js'
import { notSaved } from '../../support/http/expected.js'

const JSON_TYPE = { 'Content-Type': 'application/json' }
const TOO_LARGE = { message: 'The body is too large.', field: '', type: 'Length' }

const text = (body: string | Uint8Array, headers: Record<string, string> = {}): Call => ({
  headers: { ...JSON_TYPE, ...headers },
  body,
})

describe('a request body', () => {
  let service: TestService
  before(async () => {
    service = await startService()
  })
  after(() => service.close())

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
