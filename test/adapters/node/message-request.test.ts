import { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import { expect } from 'chai'
import { DirectRequest } from '../../../src/adapters/node/direct-request.js'
import { requestOf } from '../../../src/adapters/node/node-request.js'
import { trustedProxies } from '../../../src/http/request/trusted-proxies.js'

/** The `User-Agent` of a GET that is answered directly, and of its Request. */
function userAgentsOf(...rawHeaders: readonly string[]) {
  const message = Object.assign(new IncomingMessage(new Socket()), { url: '/', method: 'GET', rawHeaders })
  const located = { path: '/', search: '', parameters: {} }
  const direct = new DirectRequest(message, located, { proxies: trustedProxies(0), requestId: () => 'r-1' })
  const request = requestOf(message, new AbortController().signal)
  return [direct.userAgent, request.headers.get('user-agent') ?? undefined]
}

describe('a Node request', () => {
  it('has the same User-Agent as its web Request, even if the header is repeated or missing', () => {
    const twice = userAgentsOf('User-Agent', 'curl/8.5.0', 'user-agent', 'Firefox')
    expect(twice).to.deep.equal(['curl/8.5.0, Firefox', 'curl/8.5.0, Firefox'])
    expect(userAgentsOf()).to.deep.equal([undefined, undefined])
  })
})
