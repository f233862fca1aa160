import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { expect } from 'chai'
import Koa from 'koa'
import { KoaRequest, type RequestState } from '../../../src/adapters/koa/koa-request.js'
import { HttpError } from '../../../src/http/reply/failure.js'
import { trustedProxies } from '../../../src/http/request/trusted-proxies.js'

describe('the reader of a Koa request', () => {
  /** Creates a request with a body that has not arrived yet. */
  const arriving = () => {
    const request = new IncomingMessage(new Socket())
    request.headers = { 'transfer-encoding': 'chunked' }
    const response = new ServerResponse(request)
    const ctx = new Koa<RequestState>().createContext<RequestState>(request, response)
    const arrive = (body: string) => {
      request.push(body)
      request.complete = true
      request.push(null)
    }
    return { read: new KoaRequest(ctx, trustedProxies(0)), response, arrive }
  }
  const outcomeOf = (work: Promise<unknown>) =>
    work.then(
      (value) => (value instanceof Uint8Array ? Buffer.from(value).toString() : value),
      (error: unknown) => (error instanceof HttpError ? error.status : error),
    )

  it('reads a body with any content type or none', async () => {
    const { read, arrive } = arriving()
    const body = outcomeOf(read.readBody(100))
    arrive('{"name":"Rex"}')
    expect(await body).to.equal('{"name":"Rex"}')
  })

  for (const [what, begin] of [
    ['reads', (read: KoaRequest) => read.readBody(100)],
    ['waits for', (read: KoaRequest) => read.awaitBody()],
  ] as const)
    it(`throws a 400 error if it ${what} a body that arrives only after the response has started`, async () => {
      const { read, response, arrive } = arriving()
      const outcome = outcomeOf(begin(read))
      response.writeHead(408)
      arrive('{}')
      expect(await outcome).to.equal(400)
    })
})
