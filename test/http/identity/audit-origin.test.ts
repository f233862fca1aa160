import { expect } from 'chai'
import { PASSWORD, startService, type TestService } from '../../support/http/service.js'
import { newEntriesOf } from './audit-reading.js'
import { freshEmail, LOGIN } from '../../support/http/browser.js'

describe('the client context of an audit record', () => {
  const services: TestService[] = []
  before(async () => {
    for (const trustProxy of [0, 1, 2]) services.push(await startService({ settings: { trustProxy } }))
  })
  after(async () => {
    for (const service of services) await service.close()
  })

  /** The only record of a failed login with these headers, and the request ID of the reply. */
  async function recordOf(headers: Record<string, string | readonly string[]>, trustProxy = 0) {
    const service = services[trustProxy] as TestService
    const newEntries = newEntriesOf(service.store)
    await newEntries()
    const json = { email: freshEmail(), password: PASSWORD }
    const reply = await service.client.call('POST', LOGIN, { headers, json })
    const [record, ...more] = await newEntries()
    expect(more).to.deep.equal([])
    return { ...record, replied: reply.headers['x-request-id'] }
  }

  it('has the socket address if no proxy is trusted, despite forwarding headers', async () => {
    const headers = {
      'X-Forwarded-For': '203.0.113.9',
      'X-Real-IP': '203.0.113.9',
      Forwarded: 'for=203.0.113.9',
    }
    expect((await recordOf(headers)).address).to.equal('127.0.0.1')
  })

  it('has no other client-supplied text', async () => {
    const hostile = [`{{7*7}}`, `"'`, '<b>', 'x'.repeat(2_000)].join(' ')
    const headers = { 'User-Agent': hostile, Referer: hostile, 'X-User': hostile, 'Accept-Language': hostile }
    const { at, replied, ...record } = await recordOf(headers)
    expect(at).to.be.a('number')
    expect(record).to.deep.equal({
      event: 'login',
      actor: 'anonymous',
      address: '127.0.0.1',
      requestId: replied,
      outcome: 'failure',
      accounts: [],
    })
  })
})
