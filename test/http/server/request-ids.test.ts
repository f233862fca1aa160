import { expect } from 'chai'
import { createBrowser, LOGIN } from '../../support/http/browser.js'
import { observed } from './observed.js'
import { openWire, requestText } from '../../support/http/wire.js'

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

const PROXIED = { settings: { trustProxy: 1 } }

describe('a request ID', () => {
  for (const given of ['12345678', 'a.b-c_D9', 'x'.repeat(64)]) {
    it(`of a trusted proxy appears in the reply, the log and the audit record: ${given}`, async () => {
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
  }

  it('of a client itself appears in neither the reply nor the log', async () => {
    let replied: unknown
    const { requests } = await observed(async ({ client }) => {
      const headers = { 'X-Request-Id': 'forged-by-a-client' }
      replied = (await client.call('GET', '/health/live', { headers })).headers['x-request-id']
    })
    expect(replied).to.match(UUID)
    expect(requests.map(({ fields }) => fields.requestId)).to.deep.equal([replied])
  })

  const malformed: Record<string, string> = {
    'is empty': 'X-Request-Id: \r\n',
    'is short': 'X-Request-Id: 1234567\r\n',
    'is long': `X-Request-Id: ${'x'.repeat(65)}\r\n`,
    'has 10 kB': `X-Request-Id: ${'x'.repeat(10_000)}\r\n`,
    'is repeated': 'X-Request-Id: request-1\r\nX-Request-Id: request-1\r\n',
    'has a blank': 'X-Request-Id: request 1\r\n',
    'has a quote': 'X-Request-Id: request"1\r\n',
    'is JSON': 'X-Request-Id: {"level":"error"}\r\n',
    'is not ASCII': `X-Request-Id: ${Buffer.from('réquête-1').toString('latin1')}\r\n`,
    'has U+2028': `X-Request-Id: request${Buffer.from('\u2028').toString('latin1')}1\r\n`,
    'has a tab': 'X-Request-Id: request\t1\r\n',
  }
  for (const [what, header] of Object.entries(malformed)) {
    it(`is generated if the proxy's ${what}`, async () => {
      let replied: string | undefined
      const { requests } = await observed(async ({ origin }) => {
        const wire = await openWire(origin)
        wire.send(Buffer.from(`GET /health/live HTTP/1.1\r\nConnection: close\r\n${header}\r\n`, 'latin1'))
        const [reply] = await wire.closed()
        expect(reply?.status).to.equal(200)
        replied = reply?.headers.get('X-Request-Id') ?? undefined
      }, PROXIED)
      expect(replied).to.match(UUID)
      expect(requests.map(({ fields }) => fields.requestId)).to.deep.equal([replied])
    })
  }

  const broken: Record<string, string> = {
    'a folded line': 'X-Request-Id: request-1\r\n {"level":"error"}\r\n',
    'an escape': 'X-Request-Id: request-1\u001B[31m\r\n',
    'a line feed': 'X-Request-Id: request-1\n{"level":"error"}\r\n',
    'a carriage return': 'X-Request-Id: request-1\r{"level":"error"}\r\n',
    'U+0000': 'X-Request-Id: request-1\u0000\r\n',
  }
  for (const [what, header] of Object.entries(broken)) {
    it(`is generated if it contains ${what}, and the request may be rejected`, async () => {
      let replied: string | undefined
      const { requests } = await observed(async ({ origin }) => {
        const wire = await openWire(origin)
        wire.send(
          requestText('GET /health/live HTTP/1.1', { Connection: 'close' }).replace(/\r\n$/, `${header}\r\n`),
        )
        const [reply] = await wire.closed()
        replied = reply?.headers.get('X-Request-Id') ?? undefined
      }, PROXIED)
      expect(replied).to.match(UUID)
      expect(requests.map(({ fields }) => fields.requestId)).to.deep.equal([replied])
    })
  }
})
