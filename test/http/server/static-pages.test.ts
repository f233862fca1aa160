import { gzipSync, gunzipSync } from 'node:zlib'
import { expect } from 'chai'
import { AUDIT_EVENTS } from '../../../src/domain/audit.js'
import { sharedService } from '../../support/http/service.js'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { get, type IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { PROJECT } from '../../support/project.js'

const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'"
/** The maximum compressed size of all files together, in bytes. */
const SIZE_MAX = 40_000

describe('the page at /admin', () => {
  const settings = { administration: 'page', authorizationHeader: 'X-Kennel-Token' } as const
  const service = sharedService({ settings, mode: 'stateless' })
  const html = async () => (await service.client.call('GET', '/admin')).text
  const addresses = async () =>
    Array.from((await html()).matchAll(/(?:src|href)="(admin\/[^"]+)"/g), ([, address]) => `/${address}`)

  it('runs only our own script files and no inline code, and creates no markup from text', async () => {
    const { status, headers, text } = await service.client.call('GET', '/admin')
    expect(status).to.equal(200)
    expect(headers).to.include({ 'cache-control': 'no-cache', 'content-security-policy': POLICY })
    expect(text).to.not.match(/<script(?![^>]* src=)|<style|style=| on\w+=|https?:/)
  })

  it('passes the configuration of the service and the events of the audit log to its script', async () => {
    const data = (/data-settings="([^"]*)"/.exec(await html())?.[1] ?? '').replaceAll('&#34;', '"')
    const expected = { stateless: true, authorizationHeader: 'X-Kennel-Token', events: AUDIT_EVENTS }
    expect(JSON.parse(data)).to.deep.include({ ...expected, passkeys: false })
  })

  it(`loads a script and a style sheet of at most ${SIZE_MAX} bytes in total, with a content hash in each name`, async () => {
    const names = await addresses()
    expect(names.map((name) => name.replace(/\.[0-9a-f]{16}\./, '.#.'))).to.deep.equal([
      ...['/admin/page.#.css', '/admin/page.#.js'],
    ])
    const files = await Promise.all(names.map((name) => service.client.call('GET', name)))
    for (const { status, headers } of files) {
      expect(status).to.equal(200)
      expect(headers).to.include({ 'cache-control': 'public, max-age=31536000, immutable' })
    }
    const sizes = files.map(({ text }) => gzipSync(text, { level: 9 }).length)
    expect(sizes.reduce((one, other) => one + other)).to.be.within(5000, SIZE_MAX)
  })

  it('redirects from its address with a trailing slash, and serves no other files', async () => {
    const { status, headers } = await service.client.call('GET', '/admin/')
    expect([status, headers['location']]).to.deep.equal([301, '../admin'])
    expect((await service.client.call('GET', '/admin/page.js')).status).to.equal(404)
  })
})

describe('a service without the pages at /admin and /docs', () => {
  const service = sharedService({ settings: { administration: 'on', docs: false } })

  for (const page of ['/admin', '/docs'])
    it(`responds to ${page} as it does to an unknown path`, async () => {
      const unknown = await service.client.call('GET', '/nothing')
      for (const path of [page, `${page}/`, `${page}/page.js`]) {
        const { status, text, headers } = await service.client.call('GET', path)
        expect([status, text]).to.deep.equal([404, unknown.text])
        expect(headers['content-security-policy']).to.equal(unknown.headers['content-security-policy'])
      }
    })
})

const DOCS_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; font-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
const TYPES: Readonly<Record<string, string>> = {
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  png: 'image/png',
}

describe('the page at /docs', () => {
  const service = sharedService()

  const html = async () => (await service.client.call('GET', '/docs')).text
  /** Resolves addresses as a browser does. */
  const addresses = async () =>
    [...(await html()).matchAll(/(?:src|href)="(docs\/[^"]+)"/g)].map(
      ([, address = '']) => new URL(address, `${service.origin}/docs`).pathname,
    )
  const raw = async (path: string, headers: Record<string, string>) => {
    const request = get(service.origin + path, { headers, agent: false })
    const [reply] = (await once(request, 'response')) as [IncomingMessage]
    return { status: reply.statusCode, headers: reply.headers, body: await buffer(reply) }
  }

  it('runs only our own script files and no inline code', async () => {
    const { headers, text } = await service.client.call('GET', '/docs')
    expect(headers).to.include({ 'cache-control': 'no-cache', 'content-security-policy': DOCS_POLICY })
    expect(text).to.not.match(/<script(?![^>]* src=)|<style|style=| on\w+=|https?:/)
  })

  it('loads unmodified Swagger UI files and our own files, which have a content hash in each name and are cached indefinitely', async () => {
    const all = await addresses()
    expect(all).to.have.length(5)
    for (const address of all) {
      const [stem = '', hash, ending = ''] = address.replace('/docs/', '').split('.')
      const { status, headers, body } = await raw(address, { 'Accept-Encoding': 'identity' })
      expect(status, address).to.equal(200)
      expect(headers).to.include({
        ...{ 'cache-control': 'public, max-age=31536000, immutable', vary: 'Accept-Encoding' },
        'content-type': TYPES[ending],
      })
      expect(headers).to.not.have.property('content-encoding')
      expect(createHash('sha256').update(body).digest('hex').slice(0, 16), address).to.equal(hash)
      const folder = stem === 'page' ? 'src/http/api-page' : 'node_modules/swagger-ui-dist'
      expect(body.equals(readFileSync(join(PROJECT, folder, `${stem}.${ending}`))), address).to.equal(true)
    }
  })

  it('compresses its files for clients that accept compression', async () => {
    const address = (await addresses()).at(-1) ?? ''
    const { body } = await raw(address, { 'Accept-Encoding': 'gzip;q=0' })
    const zipped = await raw(address, { 'Accept-Encoding': 'gzip, deflate, br' })
    expect(zipped.headers).to.include({ 'content-encoding': 'gzip' })
    expect(gunzipSync(zipped.body).equals(body)).to.equal(true)
  })

  it('serves no other files', async () => {
    for (const name of ['page.0000000000000000.js', 'LICENSE', '..%2fpackage.json'])
      expect((await service.client.call('GET', `/docs/${name}`)).status, name).to.equal(404)
  })
})
