import { expect } from 'chai'
import { crossOrigin, originGuard } from '../../src/http/cross-origin.js'
import { isRefusal } from '../../src/domain/refusal.js'
import type { HttpRequest } from '../../src/http/message.js'

const APP = 'https://app.example'

describe('a CORS preflight', () => {
  function allowed(asked?: string, origin = APP): string | undefined {
    const sent: Record<string, string | undefined> = {
      origin,
      'access-control-request-method': 'GET',
      'access-control-request-headers': asked,
    }
    const request = { method: 'OPTIONS', header: (name: string) => sent[name] }
    return crossOrigin({ corsOrigins: [APP] }, ['GET']).headers(request)['Access-Control-Allow-Headers']
  }

  it('allows each requested header once, and omits malformed names', () => {
    expect(allowed("content-type,x!#$%&'*+-.^_`|~9")).to.equal("content-type,x!#$%&'*+-.^_`|~9")
    expect(allowed(' traceparent ,\tbaggage, baggage,,')).to.equal('traceparent,baggage')
    for (const name of ['x y', 'x"y', 'x:y', 'x\r\nSet-Cookie', 'é', '(x)', 'x/y', 'x=1', '\0']) {
      expect(allowed(name), name).to.equal(undefined)
      expect(allowed(`accept,${name}`), name).to.equal('accept')
    }
  })

  it('allows no header if the list is longer than 4,096 characters', () => {
    expect(allowed('x'.repeat(4096))).to.have.length(4096)
    expect(allowed('x'.repeat(4097))).to.equal(undefined)
  })

  it('allows no header if no header is requested or the origin is not listed', () => {
    expect(allowed()).to.equal(undefined)
    expect(allowed('')).to.equal(undefined)
    expect(allowed('content-type', 'https://evil.example')).to.equal(undefined)
  })

  it('is an OPTIONS request from a listed origin that names a method', () => {
    for (const [method, origin, asked, reply] of [
      ['OPTIONS', APP, 'GET', { status: 204 }],
      ['GET', APP, 'GET', undefined],
      ['OPTIONS', APP, undefined, undefined],
      ['OPTIONS', 'https://evil.example', 'GET', undefined],
    ] as const) {
      const sent: Record<string, string | undefined> = { origin, 'access-control-request-method': asked }
      const request = { method, header: (name: string) => sent[name] }
      expect(crossOrigin({ corsOrigins: [APP] }, ['GET']).preflight(request)).to.deep.equal(reply)
    }
  })
})

type Settings = Parameters<typeof originGuard>[0]

const LOCAL: Settings = { publicUrl: 'http://127.0.0.1:3000', production: false, corsOrigins: [] }
const LISTING = { ...LOCAL, corsOrigins: [APP, 'capacitor://localhost'] }
const NAMES = ['localhost', '127.0.0.1', '[::1]']

/** The message of the refusal; `undefined` if the guard accepts the headers. */
function refusalOf(settings: Settings, headers: Readonly<Record<string, string>>): string | undefined {
  const request = { header: (name: string) => headers[name] } as HttpRequest
  try {
    void originGuard(settings)({ request })
    return undefined
  } catch (error) {
    if (!isRefusal(error)) throw error
    expect(error.code).to.equal('forbidden')
    return error.messages[0]?.message
  }
}

const isAccepted = (settings: Settings, origin: string) => refusalOf(settings, { origin }) === undefined
const isAcceptedAt = (publicUrl: string, origin: string) => isAccepted({ ...LOCAL, publicUrl }, origin)

describe('the origin guard', () => {
  it('accepts its own origin, listed origins, and clients that are not browsers', () => {
    const sites = ['same-origin', 'none'].map((site) => ({ 'sec-fetch-site': site }))
    for (const headers of [{}, { origin: '' }, ...sites])
      expect(refusalOf(LOCAL, headers)).to.equal(undefined)
    for (const origin of [...LISTING.corsOrigins, 'http://127.0.0.1:3000'])
      expect(isAccepted(LISTING, origin), origin).to.equal(true)
  })

  it('rejects other origins and names them in the message', () => {
    for (const origin of [
      ...['https://app.example.evil.example', 'https://evil-app.example', 'http://app.example'],
      ...['https://app.example:8443', 'ionic://evil.example'],
    ])
      expect(refusalOf(LISTING, { origin })).to.equal(
        `Requests from the origin ${origin} are not accepted: the origin must be the origin of PUBLIC_URL, or be listed in CORS_ORIGINS.`,
      )
  })

  it('rejects a malformed or long origin without repeating it', () => {
    for (const origin of [
      ...['*', 'https://app.example/', 'null', '<script>alert(1)</script>', 'http://evil.example/<b>'],
      ...['http://evil.example set PUBLIC_URL', `http://${'e'.repeat(300)}.example`],
    ])
      expect(refusalOf(LISTING, { origin })).to.match(/^Requests from this origin are not accepted: /)
  })

  it('accepts cross-site requests only from listed origins', () => {
    const headers = { 'sec-fetch-site': 'cross-site' }
    const message = 'Requests from another site are not accepted, unless CORS_ORIGINS lists its origin.'
    expect(refusalOf(LISTING, headers)).to.equal(message)
    expect(refusalOf(LISTING, { ...headers, origin: 'http://127.0.0.1:3000' })).to.equal(message)
    expect(refusalOf(LISTING, { ...headers, origin: APP })).to.equal(undefined)
  })

  it('accepts every loopback hostname with the protocol and port of PUBLIC_URL, except in production', () => {
    for (const name of NAMES) expect(isAcceptedAt(`http://${name}:3000`, 'http://[::1]:3000')).to.equal(true)
    for (const name of NAMES) expect(isAccepted(LOCAL, `http://${name}:3000`)).to.equal(true)
    for (const origin of [
      ...['http://localhost', 'http://localhost:3001', 'https://localhost:3000', 'http://127.0.0.2:3000'],
      ...['http://localhost.evil.example:3000', 'http://evil.localhost:3000', 'http://[::2]:3000'],
    ])
      expect(isAccepted(LOCAL, origin), origin).to.equal(false)
    expect(isAcceptedAt('http://localhost', 'http://127.0.0.1')).to.equal(true)
    expect(isAccepted({ ...LOCAL, production: true }, 'http://localhost:3000')).to.equal(false)
    expect(isAcceptedAt('http://pets.example:3000', 'http://localhost:3000')).to.equal(false)
  })
})
