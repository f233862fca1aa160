import { expect } from 'chai'
import { PASSWORD, startService, type TestService } from '../../support/http/service.js'
import {
  CREATE_PROJECT,
  createBrowser,
  GET_IDENTITY,
  LOGIN,
  newcomer,
  PROJECT,
} from '../../support/http/browser.js'

const FIXED = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
}
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

describe('the headers of every reply below /api', () => {
  let service: TestService
  before(async () => {
    service = await startService()
  })
  after(() => service.close())

  it('are the fixed headers and a request ID, and do not reveal the software', async () => {
    const browser = await newcomer(service, ['admin'])
    const anonymous = createBrowser(service, browser.email)
    const json = { email: browser.email, password: PASSWORD }
    const replies = [
      await browser.login(),
      await browser.getIdentity(),
      await browser.refresh(),
      await browser.send('POST', CREATE_PROJECT, { json: PROJECT }),
      await browser.send('POST', CREATE_PROJECT, { json: {} }),
      await browser.logout(),
      await anonymous.login('wrong'),
      await anonymous.getIdentity(),
      await anonymous.send('POST', LOGIN, { headers: { Origin: 'null' }, json }),
      await anonymous.send('GET', LOGIN),
      await anonymous.send('HEAD', GET_IDENTITY),
      await anonymous.send('OPTIONS', LOGIN),
      await anonymous.send('GET', '/api/nothing'),
      await anonymous.send('POST', LOGIN, { json: { padding: 'x'.repeat(20_000) } }),
      await anonymous.send('POST', LOGIN, { headers: { 'Content-Type': 'text/plain' }, body: '{}' }),
      await anonymous.send('POST', LOGIN, { headers: { Accept: 'text/html' }, json }),
      await anonymous.send('GET', GET_IDENTITY, { headers: { 'X-Authorization': 'A'.repeat(20_000) } }),
    ]
    expect(replies.map(({ status }) => status)).to.deep.equal([
      200, 200, 200, 201, 422, 200, 401, 401, 403, 405, 401, 200, 404, 413, 415, 406, 431,
    ])
    for (const { status, headers } of replies) {
      expect(headers, String(status)).to.include(FIXED)
      expect(headers['x-request-id'], String(status)).to.match(UUID)
      expect(headers).to.not.have.any.keys('x-powered-by', 'server', 'strict-transport-security', 'etag')
    }
    expect(new Set(replies.map(({ headers }) => headers['x-request-id']))).to.have.property(
      'size',
      replies.length,
    )
  })

  it('pass on only a well-formed request ID of a proxy', async () => {
    const proxied = await startService({ settings: { trustProxy: 1 } })
    const ask = async (id: string) =>
      (await proxied.client.call('GET', GET_IDENTITY, { headers: { 'X-Request-Id': id } })).headers[
        'x-request-id'
      ]
    for (const id of ['abcdefgh', 'A.b_c-1234', 'x'.repeat(64)]) expect(await ask(id)).to.equal(id)
    for (const id of ['', 'short', 'x'.repeat(65), 'with blank', 'a"b;c=d<e>', 'caf\u00e9caf\u00e9']) {
      expect(await ask(id), id).to.match(UUID)
    }
    await proxied.close()
  })

  it('say JSON, and the body repeats the status', async () => {
    for (const [method, path] of [
      ['GET', GET_IDENTITY],
      ['GET', LOGIN],
      ['POST', '/api/x'],
    ] as const) {
      const { status, headers, json } = await service.client.call(method, path)
      expect(headers['content-type']).to.equal('application/json; charset=utf-8')
      expect(json).to.have.keys('code', 'response', 'view')
      expect((json as { code: number }).code).to.equal(status)
    }
  })
})
