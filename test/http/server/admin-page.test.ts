import { gzipSync } from 'node:zlib'
import { expect } from 'chai'
import { AUDIT_EVENTS } from '../../../src/domain/audit.js'
import { sharedService } from '../../support/http/services.js'

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

for (const administration of ['off', 'on'] as const)
  describe(`a service with ADMINISTRATION=${administration}`, () => {
    const service = sharedService({ settings: { administration } })

    it('responds to /admin as it does to an unknown path', async () => {
      const unknown = await service.client.call('GET', '/nothing')
      for (const path of ['/admin', '/admin/', '/admin/page.js']) {
        const { status, text } = await service.client.call('GET', path)
        expect([status, text]).to.deep.equal([404, unknown.text])
      }
    })
  })
