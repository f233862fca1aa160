import { expect } from 'chai'
import { GET_IDENTITY, newcomer } from '../../support/http/browser.js'
import type { Reply } from '../../support/http/client.js'
import { sharedService } from '../../support/http/service.js'

const PATH = '/openapi.json'

describe('the cached /openapi.json', () => {
  const service = sharedService()
  let first: Reply
  before(async () => {
    first = await service.client.call('GET', PATH)
  })

  const etag = () => first.headers.etag ?? ''
  const ask = (headers: Record<string, string>, method = 'GET') =>
    service.client.call(method, PATH, { headers })

  it('has a strong ETag derived from its bytes, and must be revalidated', async () => {
    expect(etag()).to.match(/^"[\w-]{43}"$/)
    expect(first.headers['cache-control']).to.equal('no-cache')
  })

  it('is not sent again if the client already has it', async () => {
    for (const known of [etag(), `W/${etag()}`, '*', `"another", ${etag()}`]) {
      const reply = await ask({ 'If-None-Match': known })
      expect(reply.status, known).to.equal(304)
      expect(reply.text).to.equal('')
      expect(reply.headers.etag).to.equal(etag())
      expect(reply.headers['content-type']).to.equal(undefined)
    }
    expect((await ask({ 'If-None-Match': '"another"' })).status).to.equal(200)
  })

  it('is compressed for clients that accept gzip, with a separate ETag', async () => {
    const zipped = await fetch(service.origin + PATH, { headers: { 'Accept-Encoding': 'gzip, br' } })
    const tag = zipped.headers.get('etag') ?? ''
    expect(zipped.headers.get('content-encoding')).to.equal('gzip')
    expect(Number(zipped.headers.get('content-length'))).to.be.within(5_000, first.text.length / 5)
    expect(await zipped.text()).to.equal(first.text)
    expect(tag)
      .to.match(/^"[\w-]{43}"$/)
      .and.to.not.equal(etag())
    const known = await ask({ 'Accept-Encoding': 'gzip', 'If-None-Match': tag })
    expect([known.status, known.text, known.headers.etag]).to.deep.equal([304, '', tag])
    expect(known.headers).to.not.have.property('content-encoding')
    expect((await ask({ 'Accept-Encoding': 'gzip', 'If-None-Match': etag() }, 'HEAD')).status).to.equal(200)
    for (const one of [first, known]) expect(one.headers.vary).to.equal('Accept-Encoding')
  })

  it('is the only compressed response, because the length of a compressed response can leak a secret in it', async () => {
    const { send } = await newcomer(service)
    for (const path of [GET_IDENTITY, '/v1/pets']) {
      const { headers } = await send('GET', path, { headers: { 'Accept-Encoding': 'gzip' } })
      expect(headers, path).to.not.have.property('content-encoding')
    }
  })

  it('is uncompressed for clients that do not accept gzip', async () => {
    for (const encodings of ['identity', 'br', 'gzip;q=0', '']) {
      const { text, headers } = await ask({ 'Accept-Encoding': encodings })
      expect([text, headers.etag], encodings).to.deep.equal([first.text, etag()])
    }
  })
})
