import { expect } from 'chai'
import type { Reply } from '../../support/http/client.js'
import { startService, type TestService } from '../../support/http/service.js'

const PATH = '/openapi.json'

describe('/openapi.json from memory', () => {
  let service: TestService
  let first: Reply
  before(async () => {
    service = await startService()
    first = await service.client.call('GET', PATH)
  })
  after(() => service.close())

  const etag = () => first.headers.etag ?? ''
  const ask = (headers: Record<string, string>, method = 'GET') =>
    service.client.call(method, PATH, { headers })

  it('has a strong tag of its own bytes, and is asked for again each time', async () => {
    expect(etag()).to.match(/^"[\w-]{43}"$/)
    expect(first.headers['cache-control']).to.equal('no-cache')
    const again = await ask({})
    expect(again.text).to.equal(first.text)
    expect(again.headers.etag).to.equal(etag())
  })

  it('is not sent again to a client that has it', async () => {
    for (const known of [etag(), `W/${etag()}`, '*', `"another", ${etag()}`]) {
      const reply = await ask({ 'If-None-Match': known })
      expect(reply.status, known).to.equal(304)
      expect(reply.text).to.equal('')
      expect(reply.headers.etag).to.equal(etag())
      expect(reply.headers['content-type']).to.equal(undefined)
    }
    expect((await ask({ 'If-None-Match': '"another"' })).status).to.equal(200)
  })

  it('tells HEAD how long it is', async () => {
    const reply = await ask({}, 'HEAD')
    expect(reply.headers['content-length']).to.equal(String(Buffer.byteLength(first.text)))
    expect((await ask({ 'If-None-Match': etag() }, 'HEAD')).status).to.equal(304)
  })

  it('has another tag where another configuration makes another of it', async () => {
    const other = await startService({ settings: { publicUrl: service.origin, apiKeyHeader: 'X-Other' } })
    try {
      expect((await other.client.call('GET', PATH)).headers.etag).to.not.equal(etag())
    } finally {
      await other.close()
    }
  })
})
