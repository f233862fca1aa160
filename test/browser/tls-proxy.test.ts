import { once } from 'node:events'
import type { IncomingHttpHeaders, IncomingMessage, OutgoingHttpHeaders } from 'node:http'
import { request } from 'node:https'
import { text } from 'node:stream/consumers'
import { expect } from 'chai'
import { PRODUCTION, workplaceOfTests } from '../cli/app.js'
import { reservedPort } from '../support/reserved-port.js'
import { describeBehindNginx, type Proxy } from './nginx.js'

const EMAIL = 'ada@example.com'
const PASSWORD = 'a long walk in the park'
/** One loopback address for each participant. */
const CLIENT = '127.0.0.7'
const OUTER = '127.0.0.21'
const INNER = '127.0.0.22'
/** Headers with which a client may fake an identity or address. */
const SPOOFED: Readonly<Record<string, string>> = {
  'X-Forwarded-For': '198.51.100.1, 198.51.100.2',
  Forwarded: 'for=198.51.100.3;host=evil.example;proto=http',
  'X-Forwarded-Host': 'evil.example',
  'X-Forwarded-Proto': 'http',
  'X-Forwarded-Port': '80',
  'X-Real-IP': '198.51.100.4',
  'CF-Connecting-IP': '198.51.100.5',
  Host: 'evil.example',
}
/** Headers of an honest client, and of a spoofing client. */
const SENT = [{}, SPOOFED]
const COOKIE = /^__Host-sid=[\w-]{43}; path=\/; samesite=strict; secure; httponly$/i

type TlsCall = { readonly method?: string; readonly headers?: OutgoingHttpHeaders; readonly json?: object }
type TlsReply = { readonly status: number; readonly headers: IncomingHttpHeaders; readonly text: string }

/** Sends a request to the TLS proxy on this port from CLIENT, without verifying the certificate. */
async function askOverTls(port: number, path: string, call: TlsCall): Promise<TlsReply> {
  const { method = 'GET', headers = {}, json } = call
  const options = { host: '127.0.0.1', port, path, method, localAddress: CLIENT, agent: false }
  const all = { ...(json && { 'Content-Type': 'application/json' }), ...headers }
  const asking = request({ ...options, headers: all, rejectUnauthorized: false })
  asking.end(json && JSON.stringify(json))
  const [reply] = (await once(asking, 'response')) as [IncomingMessage]
  return { status: reply.statusCode ?? 0, headers: reply.headers, text: await text(reply) }
}

type Behind = {
  readonly publicUrl: string
  readonly input: (path: string, call?: TlsCall) => Promise<TlsReply>
  /** The client addresses in the audit records of logins. */
  readonly recorded: () => Promise<readonly unknown[]>
}

describeBehindNginx('app serve in production behind nginx', (start) => {
  const place = workplaceOfTests()
  beforeEach(() => place.app(['user', 'create', EMAIL, '--password-stdin'], { input: PASSWORD }))

  /** A chain of proxies, the outermost of which terminates TLS, and a service with `trusted` as TRUST_PROXY. */
  async function behind(proxies: 1 | 2, trusted: number): Promise<Behind> {
    const port = await reservedPort()
    const publicUrl = `https://pets.example:${port}`
    const proxied = { PUBLIC_URL: publicUrl, TRUST_PROXY: String(trusted) }
    const { origin } = await place.serve({ ...PRODUCTION, ...proxied })
    const tls: Omit<Proxy, 'upstreams'> = { port, tls: true, address: OUTER }
    if (proxies === 1) await start({ ...tls, upstreams: { 'pets.example': origin } })
    else {
      const within = await reservedPort()
      await start({ port: within, tls: false, address: INNER, upstreams: { 'pets.example': origin } })
      await start({ ...tls, upstreams: { 'pets.example': `http://127.0.0.1:${within}` } })
    }
    return {
      publicUrl,
      input: (path, { headers, ...call } = {}) =>
        askOverTls(port, path, { ...call, headers: { Host: `pets.example:${port}`, ...headers } }),
      recorded: async () => {
        const { stdout } = await place.app(['audit', 'list', '--event', 'login'])
        return (JSON.parse(stdout) as { address: unknown }[]).map((row) => row.address)
      },
    }
  }

  const credentials = { email: EMAIL, password: PASSWORD }
  const basic = `Basic ${Buffer.from(`${EMAIL}:${PASSWORD}`).toString('base64')}`

  it('sets a __Host- cookie and HSTS, and links to PUBLIC_URL, for honest and for spoofing clients', async () => {
    const { input: ask, publicUrl } = await behind(1, 1)
    for (const headers of SENT) {
      const login = await ask('/api/auth/login', { method: 'POST', json: credentials, headers })
      expect([login.status, login.headers['set-cookie']?.length], login.text).to.deep.equal([200, 1])
      expect(login.headers['set-cookie']?.[0]).to.match(COOKIE)
      expect(login.headers['strict-transport-security']).to.equal('max-age=31536000')

      const call = { headers: { Authorization: basic, ...headers } }
      for (const name of ['Rex', 'Mia']) {
        const made = await ask('/v1/pets', { ...call, method: 'POST', json: { name } })
        expect(made.status, made.text).to.equal(201)
        expect(made.headers.location).to.match(new RegExp(`^${publicUrl}/v1/pets/[1-4]$`))
      }
      const page = await ask('/v1/pets?limit=1', call)
      const next = String(page.headers['x-next'])
      expect(next.startsWith(`${publicUrl}/v1/pets?`), next).to.equal(true)
      expect(page.headers['link']).to.equal(`<${next}>; rel="next"`)
      const { servers } = JSON.parse((await ask('/openapi.json', call)).text) as { servers: unknown }
      expect(servers).to.deep.equal([{ url: publicUrl }])
      const second = await ask(next.slice(publicUrl.length), call)
      expect(JSON.parse(second.text)).to.deep.equal([{ id: 2, name: 'Mia' }])
    }
  })

  for (const [proxies, trusted, address, whose] of [
    [1, 1, CLIENT, 'the client'],
    [1, 0, OUTER, 'the proxy, which is not trusted'],
    [2, 2, CLIENT, 'the client, as seen by the outer proxy'],
    [2, 1, OUTER, 'the outer proxy, as seen by the inner proxy'],
    [2, 0, INNER, 'the inner proxy: the header is ignored'],
  ] as const) {
    it(`records the address of ${whose} (TRUST_PROXY=${trusted}, ${proxies} proxies)`, async () => {
      const { input: ask, recorded } = await behind(proxies, trusted)
      for (const headers of SENT) {
        const { status } = await ask('/api/auth/login', { method: 'POST', json: credentials, headers })
        expect(status).to.equal(200)
      }
      expect(await recorded()).to.deep.equal(SENT.map(() => address))
    })
  }
})
