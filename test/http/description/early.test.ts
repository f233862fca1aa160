import { expect } from 'chai'
import { bindServer, type BoundServer } from '../../../src/adapters/koa/index.js'
import { createClient, type Client, type Reply } from '../../support/http/client.js'
import { createReplyCheck, type ApiDocument } from '../../support/http/reply-check.js'
import { openWire, requestText } from '../../support/http/wire.js'
import { startService } from '../../support/http/service.js'
import { CONFIGURATIONS, described, operationsOf } from './configurations.js'

const settings = CONFIGURATIONS['listed origins and https']
const checkOf = (document: object) => createReplyCheck(document as unknown as ApiDocument)

describe('a response that is sent before the request reaches a route', () => {
  const document = described(settings)
  const paths = operationsOf(document).map(({ where }) => where.split(' ') as [string, string])

  it('is described for every route while the service starts', async () => {
    const server: BoundServer = await bindServer('127.0.0.1', 0, { requestTimeout: 1000 })
    const check = checkOf(document)
    const client: Client = createClient(`http://127.0.0.1:${String(server.port)}`, () => check)
    try {
      for (const [method, path] of paths) {
        const reply = await client.call(method.toUpperCase(), path.replace('{petId}', '1'))
        expect(reply.status, path).to.equal(503)
      }
    } finally {
      client.close()
      await server.drain(1000)
    }
  })

  const slow: Readonly<Record<string, string>> = {
    'whose head is late': 'POST /api/auth/login HTTP/1.1\r\nHost: ',
    'whose body is late': requestText('POST /api/auth/login HTTP/1.1', {
      'Content-Type': 'application/json',
      'Content-Length': '10',
    }),
  }
  for (const [what, bytes] of Object.entries(slow)) {
    it(`is described for a request ${what}`, async () => {
      const service = await startService({ settings, requestTimeout: 300 })
      const wire = await openWire(service.origin)
      try {
        wire.send(bytes)
        const [given] = await wire.closed()
        if (!given) throw new Error('there was no answer')
        const headers = Object.fromEntries(given.headers) as Reply['headers']
        expect(given.status).to.equal(408)
        const { json } = await service.client.call('GET', '/openapi.json')
        checkOf(json as object)('POST', '/api/auth/login', { ...given, headers, rawHeaders: [] })
      } finally {
        wire.destroy()
        await service.close()
      }
    })
  }
})
