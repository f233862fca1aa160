import { expect } from 'chai'
import { requestText, serversOfTests, wiresOfTests, type Wire } from '../../support/http/wire.js'
import { sharedService } from '../../support/http/services.js'

const LIVE = '/health/live'

describe('a connection', () => {
  const service = sharedService()
  let wire: Wire
  const open = wiresOfTests()
  const bind = serversOfTests()
  beforeEach(async () => {
    wire = await open(service.origin)
  })

  it('is reused for the next request', async () => {
    wire.send(requestText(`GET ${LIVE} HTTP/1.1`, { Host: 'x' }))
    const [first] = await wire.repliesAfter(1)
    expect(first?.headers.get('Connection')).to.equal('keep-alive')
    wire.send(requestText(`GET ${LIVE} HTTP/1.1`, { Host: 'x' }))
    expect(await wire.repliesAfter(2)).to.have.length(2)
  })

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

  it('closes when the client requests it', async () => {
    wire.send(requestText(`GET ${LIVE} HTTP/1.1`, { Host: 'x', Connection: 'close' }))
    const [reply] = await wire.closed()
    expect(reply?.status).to.equal(200)
    expect(reply?.headers.get('Connection')).to.equal('close')
  })

  it('gets one response with HTTP/1.0 and needs no Host header', async () => {
    wire.send(requestText(`GET ${LIVE} HTTP/1.0`))
    const [reply] = await wire.closed()
    expect(reply?.json).to.deep.equal({ status: 'ok' })
    expect(reply?.headers.get('Connection')).to.equal('close')
  })

  it('does not require a Host header', async () => {
    wire.send(requestText(`GET ${LIVE} HTTP/1.1`))
    expect((await wire.repliesAfter(1))[0]?.status).to.equal(200)
  })

  it('accepts a request that arrives byte by byte', async () => {
    for (const byte of requestText(`GET ${LIVE} HTTP/1.1`, { Host: 'x' })) wire.send(byte)
    expect((await wire.repliesAfter(1))[0]?.status).to.equal(200)
  })

  it('gets 100 Continue if the client expects it before the body', async () => {
    const headers = {
      Host: 'x',
      'X-API-Key': await service.apiKey(),
      'Content-Type': 'application/json',
      'Content-Length': '14',
      Expect: '100-continue',
    }
    wire.send(requestText('POST /v1/pets HTTP/1.1', headers))
    expect((await wire.repliesAfter(1))[0]?.status).to.equal(100)
    wire.send('{"name":"Rex"}')
    expect((await wire.repliesAfter(2))[1]?.status).to.equal(201)
  })

  it('cannot be upgraded to a tunnel or a WebSocket', async () => {
    const upgrade = { Host: 'x', Connection: 'Upgrade', Upgrade: 'websocket', 'Sec-WebSocket-Key': 'eA==' }
    wire.send(requestText(`GET ${LIVE} HTTP/1.1`, upgrade))
    expect((await wire.repliesAfter(1))[0]?.status).to.equal(200)
    const other = await open(service.origin)
    other.send(requestText('CONNECT evil.example:443 HTTP/1.1', { Host: 'x' }))
    expect((await other.closed()).map(({ status }) => status)).to.deep.equal([400])
  })
})
