import { expect } from 'chai'
import { requestText, serversOfTests, wiresOfTests } from '../../support/http/wire.js'
import { sharedService } from '../../support/http/services.js'

const LIVE = '/health/live'

describe('a connection', () => {
  const service = sharedService()
  const open = wiresOfTests()
  const bind = serversOfTests()

  for (const [keepAliveTimeout, told] of [
    [100, 'timeout=0'],
    [1_100, 'timeout=1'],
    [65_000, 'timeout=65'],
  ] as const)
    it(`states how long it may be idle: ${keepAliveTimeout} ms`, async () => {
      const server = await bind((_request, response) => response.end('{}'), { keepAliveTimeout })
      const idle = await server.open()
      idle.send(requestText(`GET ${LIVE} HTTP/1.1`, { Host: 'x' }))
      const [reply] = await idle.repliesAfter(1)
      expect(reply?.headers.get('Keep-Alive')).to.equal(told)
      if (keepAliveTimeout === 100) expect(await idle.closed()).to.have.length(1)
      idle.destroy()
      expect(await server.drain(1000)).to.equal(true)
    })

  for (const version of ['1.0', '1.1'])
    it(`does not require a Host header with HTTP/${version}`, async () => {
      const wire = await open(service.origin)
      wire.send(requestText(`GET ${LIVE} HTTP/${version}`))
      expect((await wire.repliesAfter(1))[0]?.json).to.deep.equal({ status: 'ok' })
    })

  it('gets 100 Continue if the client expects it before the body', async () => {
    const headers = {
      Host: 'x',
      'X-API-Key': await service.apiKey(),
      'Content-Type': 'application/json',
      'Content-Length': '14',
      Expect: '100-continue',
    }
    const wire = await open(service.origin)
    wire.send(requestText('POST /v1/pets HTTP/1.1', headers))
    expect((await wire.repliesAfter(1))[0]?.status).to.equal(100)
    wire.send('{"name":"Rex"}')
    expect((await wire.repliesAfter(2))[1]?.status).to.equal(201)
  })
})
