import { expect } from 'chai'
import { requestIdOf } from '../../../src/http/reply/reply-headers.js'
import { createBrowser, LOGIN } from '../../support/http/browser.js'
import { observed } from './observed.js'

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

const PROXIED = { settings: { trustProxy: 1 } }

describe('a request ID', () => {
  const given = 'a.b-c_D9'

  it('appears in the response, the log and the audit record if a trusted proxy sends it', async () => {
    let replied: unknown
    let audited: readonly unknown[] = []
    const { requests } = await observed(async (service) => {
      await service.account('ada@example.com')
      const browser = createBrowser(service, 'ada@example.com')
      const json = { email: browser.email, password: 'not the password' }
      const reply = await browser.send('POST', LOGIN, { headers: { 'X-Request-Id': given }, json })
      replied = reply.headers['x-request-id']
      const records = await service.store.audit.page({ limit: 10, event: 'login' })
      audited = records.map(({ requestId }) => requestId)
    }, PROXIED)
    expect(replied).to.equal(given)
    expect(requests.map(({ fields }) => fields.requestId)).to.deep.equal([given])
    expect(audited).to.deep.equal([given])
  })

  it('is replaced by a generated ID if a trusted proxy sends a malformed ID', () => {
    for (const one of ['12345678', 'a.b-c_D9', 'x'.repeat(64)]) expect(requestIdOf(one, true)).to.equal(one)
    for (const one of [
      ...['', '1234567', 'x'.repeat(65), 'request-1, request-1', 'request 1', 'request"1', undefined],
      ...['réquête-1', 'request\u20281', 'request-1\u001b[31m', 'request-1\n', 'request-1\u0000'],
    ])
      expect(requestIdOf(one, true), one).to.match(UUID)
    expect(requestIdOf(given, false)).to.match(UUID)
  })
})
