import { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import { expect } from 'chai'
import { DirectRequest } from '../../../src/adapters/node/direct-replies.js'
import { requestOf } from '../../../src/adapters/node/listener.js'
import { WebRequest } from '../../../src/adapters/web/web-request.js'
import { trustedProxies } from '../../../src/http/request/trusted-proxies.js'

/** A GET request that is answered directly, and its Node message. */
function directRequest(rawHeaders: readonly string[]) {
  const message = Object.assign(new IncomingMessage(new Socket()), { url: '/', method: 'GET', rawHeaders })
  const located = { path: '/', search: '', parameters: {} }
  const http = { proxies: trustedProxies(0), requestId: () => 'r-1' }
  return { message, direct: new DirectRequest(message, located, http) }
}

/** Returns the `User-Agent` of a direct request, and of the `Request` for the same message. */
function userAgentsOf(...rawHeaders: readonly string[]) {
  const { message, direct } = directRequest(rawHeaders)
  const request = requestOf(message, new AbortController().signal)
  return [direct.userAgent, request.headers.get('user-agent') ?? undefined]
}

describe('a Node request', () => {
  it('has the same User-Agent as its web Request, even if the header is repeated or missing', () => {
    const twice = userAgentsOf('User-Agent', 'curl/8.5.0', 'user-agent', 'Firefox')
    expect(twice).to.deep.equal(['curl/8.5.0, Firefox', 'curl/8.5.0, Firefox'])
    expect(userAgentsOf()).to.deep.equal([undefined, undefined])
  })

  it('has no own properties, so that another copy of the package accepts it as client data', () => {
    const path = { path: '/', search: '' }
    const body = { hasBody: false, leave: () => undefined }
    const web = new WebRequest(new Request('http://x/'), path, body as never, { requestId: 'r-1' } as never)
    expect([directRequest([]).direct, web].flatMap(Object.keys)).to.deep.equal([])
  })
})
