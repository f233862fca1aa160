import { expect } from 'chai'
import { createClient, type Reply } from '../../support/http/client.js'
import { createReplyCheck, type ApiDocument } from '../../support/http/reply-check.js'
import { requestText, serversOfTests, wiresOfTests } from '../../support/http/wire.js'
import { servicesOfTests } from '../../support/http/services.js'
import { CONFIGURATIONS, described, operationsOf } from './configurations.js'

const settings = CONFIGURATIONS['listed origins and https']
const checkOf = (document: object) => createReplyCheck(document as unknown as ApiDocument)

describe('a response that is sent before the request reaches a route', () => {
  const document = described(settings)
  const bind = serversOfTests()
  const open = wiresOfTests()
  const serve = servicesOfTests()
  const paths = operationsOf(document).map(({ where }) => where.split(' ') as [string, string])

  it('is described for every route while the service starts', async () => {
    const { port } = await bind()
    const check = checkOf(document)
    const client = createClient(`http://127.0.0.1:${port}`, () => check)
    for (const [method, path] of paths) {
      const reply = await client.call(method.toUpperCase(), path.replace('{petId}', '1'))
      expect(reply.status, path).to.equal(503)
    }
    client.close()
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
      const service = await serve({ settings, requestTimeout: 300 })
      const wire = await open(service.origin)
      wire.send(bytes)
      const [given] = await wire.closed()
      expect(given?.status).to.equal(408)
      const headers = Object.fromEntries(given?.headers ?? []) as Reply['headers']
      const { json } = await service.client.call('GET', '/openapi.json')
      checkOf(json as object)('POST', '/api/auth/login', { ...given!, headers, rawHeaders: [] })
    })
  }
})
