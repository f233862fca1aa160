import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { expect } from 'chai'
import Koa from 'koa'
import { KoaRequest, type RequestState } from '../../../src/adapters/koa/koa-request.js'
import { WebRequest } from '../../../src/adapters/web/web-request.js'
import { trustedProxies } from '../../../src/http/request/trusted-proxies.js'

const PEER = '10.0.0.1'

describe('the client address', () => {
  for (const [forwarded, trustProxy, address] of [
    ['192.0.2.7, 198.51.100.9', 0, PEER],
    ['192.0.2.7, 198.51.100.9', 1, '198.51.100.9'],
    ['192.0.2.7,198.51.100.9', 2, '192.0.2.7'],
    ['192.0.2.7 \t,\t 198.51.100.9 ', 2, '192.0.2.7'],
    ['192.0.2.7 \t,\t 198.51.100.9 ', 1, '198.51.100.9'],
    ['192.0.2.7', 3, '192.0.2.7'],
    ['192.0.2.7,', 1, PEER],
    [`${' '.repeat(15_000)}x, 192.0.2.7`, 1, '192.0.2.7'],
    [`192.0.2.7${' '.repeat(15_000)}x`, 1, PEER],
    ['[::ffff:c000:207]:443', 1, '192.0.2.7'],
    ['64:ff9b::192.0.2.7', 1, '192.0.2.7'],
    [undefined, 1, PEER],
  ] as const)
    it(`is ${address} behind ${trustProxy} proxies with ${forwarded?.slice(0, 30)}`, () => {
      expect(trustedProxies(trustProxy).clientAddress({ peer: PEER, forwarded })).to.equal(address)
    })

  const LISTED = ['10.0.0.0/8', '2001:db8::/32']
  for (const [peer, forwarded, address] of [
    [PEER, '192.0.2.7, 198.51.100.9', '198.51.100.9'],
    [PEER, '192.0.2.7, 10.9.9.9,\t[2001:db8::5]:443 ', '192.0.2.7'],
    [PEER, '10.3.3.3, 10.2.2.2', '10.3.3.3'],
    [PEER, '192.0.2.7, unknown', PEER],
    [PEER, '10.0.0.1/8, 10.2.2.2', PEER],
    [PEER, '', PEER],
    [PEER, undefined, PEER],
    ['::ffff:10.0.0.1', '192.0.2.7', '192.0.2.7'],
    ['::ffff:10.0.0.1', '192.0.2.7, ::ffff:a02:202', '192.0.2.7'],
    ['11.0.0.1', '192.0.2.7', '11.0.0.1'],
    ['2001:db9::1', '192.0.2.7, 10.2.2.2', '2001:db9::1'],
    [undefined, '192.0.2.7', undefined],
    [PEER, `192.0.2.7${', 10.2.2.2'.repeat(9)}`, '192.0.2.7'],
    [PEER, `192.0.2.7, 10.3.3.3${', 10.2.2.2'.repeat(9)}`, '10.3.3.3'],
    [PEER, `192.0.2.7, 10.3.3.3${', 10.2.2.2'.repeat(1_500)}`, '10.2.2.2'],
    [PEER, ','.repeat(9_000), PEER],
  ] as const)
    it(`is ${address} behind listed proxies from ${peer} with ${forwarded?.slice(0, 40)}`, () => {
      expect(trustedProxies(LISTED).clientAddress({ peer, forwarded })).to.equal(address)
    })

  /** Returns how many string methods `run` calls. `URL` is removed first, so `run` throws if it parses a URL. */
  function callsIn(run: () => unknown): number {
    let calls = 0
    const names = ['slice', 'split', 'trim', 'lastIndexOf', 'toLowerCase'] as const
    const { URL: url } = globalThis
    const originals = names.map(
      (name) => [name, Object.getOwnPropertyDescriptor(String.prototype, name)] as const,
    )
    Reflect.deleteProperty(globalThis, 'URL')
    for (const [name, descriptor] of originals) {
      const original = descriptor?.value as (...given: unknown[]) => unknown
      const counted = function (this: string, ...given: unknown[]) {
        calls += 1
        return original.apply(this, given)
      }
      Object.defineProperty(String.prototype, name, { ...descriptor, value: counted })
    }
    try {
      run()
    } finally {
      globalThis.URL = url
      for (const [name, descriptor] of originals)
        Object.defineProperty(String.prototype, name, descriptor as PropertyDescriptor)
    }
    return calls
  }

  for (const hops of ['2001:db8::1', '10.1.1.1', '[2001:db8::1]:443', '::ffff:10.0.0.1', ''])
    it(`takes the same amount of work for 10 hops as for 1,890 ${hops || 'without text'}`, () => {
      const proxies = trustedProxies(LISTED)
      const costOf = (count: number) =>
        callsIn(() => proxies.clientAddress({ peer: PEER, forwarded: Array(count).fill(hops).join() }))
      const cost = costOf(10)
      expect(cost).to.be.above(5)
      expect(costOf(1_890)).to.be.below(cost * 1.5)
    })

  it('is read from the header only if the peer is listed or if TRUST_PROXY is a number above 0', () => {
    const peers = [PEER, '::ffff:10.0.0.1', '11.0.0.1', 'unix', undefined]
    expect(peers.map(trustedProxies(LISTED).believes)).to.deep.equal([true, true, false, false, false])
    expect(peers.map(trustedProxies(0).believes)).to.deep.equal(Array(5).fill(false))
    expect(peers.map(trustedProxies(1).believes)).to.deep.equal(Array(5).fill(true))
  })

  /** Counts how often a header is read. */
  const counting = (values: Record<string, string>) => {
    const reads = new Map<string, number>()
    const headers = new Proxy(values, {
      get: (target, name: string) => {
        reads.set(name, (reads.get(name) ?? 0) + 1)
        return target[name]
      },
    })
    return { headers, readsOf: (name: string) => reads.get(name) }
  }

  it('is read once per request in the Koa host', () => {
    const request = new IncomingMessage(new Socket())
    const { headers, readsOf } = counting({ 'x-forwarded-for': '192.0.2.7' })
    Object.defineProperty(request, 'headers', { value: headers })
    const ctx = new Koa<RequestState>().createContext<RequestState>(request, new ServerResponse(request))
    const read = new KoaRequest(ctx, trustedProxies(1))
    expect([read.address, read.address, read.address]).to.deep.equal(Array(3).fill('192.0.2.7'))
    expect(readsOf('x-forwarded-for')).to.equal(1)
  })

  it('is read once per request in the web host, even if there is no address', () => {
    const { headers, readsOf } = counting({ 'x-forwarded-for': 'unknown' })
    const incoming = {
      headers: { get: (name: string) => headers[name] ?? null } as unknown as Headers,
      signal: new AbortController().signal,
      hasBody: false,
      body: () => null,
      leave: () => undefined,
    }
    const context = { requestId: 'x', address: undefined, proxies: trustedProxies(1), bodyTimeout: 1000 }
    const read = new WebRequest(new Request('http://x/'), { path: '/', search: '' }, incoming, context)
    expect([read.address, read.address]).to.deep.equal([undefined, undefined])
    expect(readsOf('x-forwarded-for')).to.equal(1)
  })
})
