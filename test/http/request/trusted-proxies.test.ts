import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { expect } from 'chai'
import Koa from 'koa'
import { KoaRequest, type RequestState } from '../../../src/adapters/koa/koa-request.js'
import { WebRequest } from '../../../src/adapters/web/web-request.js'
import { trustedProxies, proxyNotices } from '../../../src/http/request/trusted-proxies.js'
import type { TrustProxy } from '../../../src/domain/identity/address.js'
import { collectingLog } from '../../support/log-collector.js'
import { observed } from '../server/observed.js'

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

type Arrival = readonly [peer: string | undefined, forwarded?: string | undefined, path?: string]

function warned(trust: TrustProxy, arrivals: readonly Arrival[]): readonly string[] {
  const { log, lines } = collectingLog()
  const proxies = trustedProxies(trust)
  const notice = proxyNotices(trust, proxies, log)
  for (const [peer, forwarded, path = '/v1/pets'] of arrivals)
    notice({
      peer,
      path,
      address: proxies.clientAddress({ peer, forwarded }),
      header: (name) => (name === 'x-forwarded-for' ? forwarded : undefined),
    })
  expect(JSON.stringify(lines)).to.not.match(/192\.0\.2|10\.0\.0\.[1-9]/)
  return lines.map(({ level, event, fields }) => `${level} ${event}: ${String(fields.detail).slice(0, 60)}`)
}

const NOT_BELIEVED = 'warn configuration: a request came with X-Forwarded-For, which is ignored: if a'
const NOT_LISTED = 'warn configuration: a request came with X-Forwarded-For from an address that TRUST_PR'
const MISSING = 'warn configuration: a request came without X-Forwarded-For although TRUST_PROXY is set: '
const OWN_ADDRESS = 'warn configuration: the address of the proxy itself counts as the client: let the proxy '
const starts = (lines: readonly string[]) => lines.map((line) => line.slice(0, 79))

describe('a warning about TRUST_PROXY', () => {
  const LISTED = ['10.0.0.0/8']
  const HOP = ['10.0.0.2', '192.0.2.7, 10.0.0.1'] as const
  const OWN = ['10.0.0.1', '10.0.0.1'] as const
  for (const [what, trust, arrivals, expected] of [
    ['no proxy and no header', 0, [['127.0.0.1'], ['192.0.2.7']], []],
    ['a header that is ignored', 0, [['127.0.0.1', '192.0.2.7'], HOP], [NOT_BELIEVED]],
    ['a header of a public peer', 0, [['192.0.2.1', '192.0.2.7']], [NOT_BELIEVED]],
    ['a header that is trusted', 1, [['10.0.0.1', '192.0.2.7']], []],
    ['a header that the proxy does not set', 1, [['10.0.0.1'], ['10.0.0.1']], [MISSING]],
    ['a health probe that bypasses the proxy', 2, [['10.0.0.1', undefined, '/health/live']], []],
    ['a proxy that writes its own address', 1, [['10.0.0.1', '192.0.2.7, 10.0.0.1']], [OWN_ADDRESS]],
    ['a client on the machine of the proxy', 1, [['127.0.0.1', '127.0.0.1']], []],
    ['an IPv6 client on that machine', 1, [['::1', '192.0.2.7, ::1']], []],
    ['a client on the machine of a listed proxy', ['127.0.0.0/8'], [['127.0.0.1', '127.0.0.3']], []],
    ['a local proxy whose entry is not an address', 1, [['127.0.0.1', 'unknown']], [OWN_ADDRESS]],
    ['an entry that is not an address', 1, [['::ffff:10.0.0.1', 'unknown']], [OWN_ADDRESS]],
    ['two faults', 1, [OWN, ['10.0.0.1'], OWN], [OWN_ADDRESS, MISSING]],
    ['a listed proxy', LISTED, [['10.0.0.1', '192.0.2.7'], HOP], []],
    ['a listed proxy that sets no header', LISTED, [['10.0.0.1']], [MISSING]],
    ['listed proxies alone', LISTED, [['10.0.0.1', '10.0.0.2, 10.0.0.3']], [OWN_ADDRESS]],
    ['a proxy that is not listed', LISTED, [['192.0.2.1', '192.0.2.7']], [NOT_LISTED]],
    ['a direct client beside listed proxies', LISTED, [['192.0.2.1'], [undefined, '192.0.2.7']], []],
  ] as const)
    it(`is ${expected.length === 0 ? 'absent' : 'logged once'} for ${what}`, () => {
      expect(starts(warned(trust, arrivals))).to.deep.equal(starts(expected))
    })

  it('is logged only once for all requests to a running service', async () => {
    const { lines } = await observed(
      async ({ client }) => {
        for (const path of ['/health/live', '/v1/pets', '/v1/pets']) await client.call('GET', path)
      },
      { settings: { trustProxy: ['127.0.0.0/8', '::1'] } },
    )
    const warnings = lines.filter(({ level }) => level === 'warn')
    expect(warnings.map(({ event }) => event)).to.deep.equal(['configuration'])
  })
})
