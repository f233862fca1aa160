import { expect } from 'chai'
import { PASSWORD, startService, type TestService } from '../../support/http/service.js'
import { newEntriesOf } from './audit-reading.js'
import { freshEmail, LOGIN } from '../../support/http/browser.js'

const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/

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
  const addressOf = async (trustProxy: number, forwarded: string | readonly string[]) =>
    (await recordOf({ 'X-Forwarded-For': forwarded }, trustProxy)).address

  it('has the socket address if no proxy is trusted, despite forwarding headers', async () => {
    const headers = {
      'X-Forwarded-For': '203.0.113.9',
      'X-Real-IP': '203.0.113.9',
      Forwarded: 'for=203.0.113.9',
    }
    expect((await recordOf(headers)).address).to.equal('127.0.0.1')
  })

  it('has the address without a zone, which could be any text', async () => {
    expect(await addressOf(1, 'fe80::1%PASSWORD.hunter2')).to.equal('fe80::1')
    expect(await addressOf(1, `fe80::1%${'a'.repeat(8_000)}`)).to.equal('fe80::1')
    expect(await addressOf(1, '::FFFF:203.0.113.9')).to.equal('203.0.113.9')
    expect(await addressOf(1, '2001:DB8::1')).to.equal('2001:db8::1')
  })

  it('has the address that the trusted proxy saw, not an address that the client sent', async () => {
    expect(await addressOf(1, '198.51.100.1, 203.0.113.9')).to.equal('203.0.113.9')
    expect(await addressOf(1, ['198.51.100.1', '203.0.113.9'])).to.equal('203.0.113.9')
    expect(await addressOf(2, '198.51.100.1, 203.0.113.9, 10.0.0.1')).to.equal('203.0.113.9')
  })

  it('has the socket address if the proxy header holds no address', async () => {
    for (const forwarded of [
      'unknown',
      '_hidden',
      '203.0.113.9:',
      '203.0.113.9:http',
      '[2001:db8::1',
      '[evil]:80',
      '999.1.1.1',
      '{{x}}',
      '9'.repeat(8_000),
    ])
      expect(await addressOf(1, forwarded), forwarded.slice(0, 20)).to.equal('127.0.0.1')
  })

  it('has the address without the port that a proxy appends', async () => {
    expect(await addressOf(1, '203.0.113.9:8080')).to.equal('203.0.113.9')
    expect(await addressOf(1, '198.51.100.1:1, 203.0.113.9:65535')).to.equal('203.0.113.9')
    expect(await addressOf(1, '[2001:DB8::1]:4711')).to.equal('2001:db8::1')
    expect(await addressOf(1, '[2001:db8::1]')).to.equal('2001:db8::1')
    expect(await addressOf(1, '[::ffff:203.0.113.9]:80')).to.equal('203.0.113.9')
    expect(await addressOf(1, '[fe80::1%eth0]:80')).to.equal('fe80::1')
  })

  it('has the request ID that a trusted proxy sent', async () => {
    const sent = { 'X-Request-Id': 'Trace_1.of-2' }
    const { requestId, replied } = await recordOf(sent, 1)
    expect([requestId, replied]).to.deep.equal(['Trace_1.of-2', 'Trace_1.of-2'])
  })

  it('has a new request ID if no proxy is trusted, even if the client sent one', async () => {
    const { requestId, replied } = await recordOf({ 'X-Request-Id': 'Trace_1.of-2' })
    expect(requestId).to.equal(replied).and.to.match(UUID)
  })

  it('has the request ID of the reply if none was sent', async () => {
    const { requestId, replied } = await recordOf({})
    expect(requestId).to.equal(replied).and.to.match(UUID)
  })

  it('has a new request ID if the client sent a malformed ID', async () => {
    for (const sent of [
      'too-few',
      'a'.repeat(65),
      'a'.repeat(10_000),
      '{{constructor}}',
      '"quoted" id',
      "id'); DROP TABLE audit;--",
      'one-request, and-another',
      'größer-als-ASCII',
      '<script>alert(1)</script>',
    ]) {
      const { requestId, replied } = await recordOf({ 'X-Request-Id': sent }, 1)
      expect(requestId, sent.slice(0, 30)).to.equal(replied).and.to.match(UUID)
    }
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
