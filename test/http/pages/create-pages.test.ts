import { gunzipSync } from 'node:zlib'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { createHandler } from '../../../src/adapters/web/index.js'
import { createPages, type Pages } from '../../../src/http/pages/create-pages.js'
import { openKennel } from '../../../src/index.js'
import { SILENT_LOG } from '../../../src/ports/log.js'
import { goodOptions } from '../../embedding/opening.js'
import { temporaryFolder } from '../../support/temporary-folder.js'

describe('the pages of a custom host', () => {
  const folder = temporaryFolder()
  const closing: (() => Promise<void>)[] = []
  afterEach(async () => {
    for (const close of closing.splice(0)) await close()
  })

  async function opened(options: Parameters<typeof goodOptions>[0] = {}) {
    const kennel = await openKennel(goodOptions({ ...options, parts: { log: SILENT_LOG } }))
    closing.push(() => kennel.close())
    return kennel
  }

  const addressesIn = (text: unknown) =>
    Array.from(String(text).matchAll(/(?:src|href)="(pages\/[^"]+)"/g), ([, name]) => `/${name}`)
  const settingsIn = (text: unknown) => {
    const data = (/data-settings="([^"]*)"/.exec(String(text))?.[1] ?? '').replaceAll('&#34;', '"')
    return JSON.parse(data) as Readonly<Record<string, unknown>>
  }

  it('are identical to the pages of the handler, byte for byte', async () => {
    const kennel = await opened({ userPages: true })
    const [handler, pages] = [createHandler(kennel), createPages(kennel)]
    const files = addressesIn((await pages('/login'))?.body)
    expect(files).to.have.lengthOf(2)
    for (const path of [
      '/login',
      '/sign-up',
      '/reset-password',
      '/confirm',
      '/account',
      '/account/',
      ...files,
    ]) {
      const served = await handler(new Request(`https://pets.example${path}`))
      const [page, expected] = [await pages(path), new Uint8Array(await served.arrayBuffer())]
      const { 'x-request-id': _, 'content-length': __, ...headers } = Object.fromEntries(served.headers)
      const response = new Response(page?.body, page)
      expect([path, response.status, Object.fromEntries(response.headers)]).to.deep.equal([
        path,
        served.status,
        headers,
      ])
      expect(new Uint8Array(await response.arrayBuffer())).to.deep.equal(expected)
    }
  })

  it('need no settings, but can have custom texts and a different path for the HTTP interface', async () => {
    const texts = join(folder(), 'texts.json')
    writeFileSync(texts, '{"lang":"de"}')
    const kennel = await opened({ pagesTexts: texts })
    expect((await createHandler(kennel)(new Request('https://pets.example/login'))).status).to.equal(404)
    const [beside, elsewhere] = [createPages(kennel), createPages(kennel, { api: '/kennel' })]
    const settingsOf = async (pages: Pages) => settingsIn((await pages('/account'))?.body)
    expect((await beside('/account'))?.body).to.include('<html lang="de">')
    expect(await settingsOf(beside)).to.not.have.property('api')
    expect(await settingsOf(elsewhere)).to.include({ api: '/kennel' })
  })

  it('include compressed files for clients that support compression', async () => {
    const pages = createPages(await opened())
    for (const path of addressesIn((await pages('/login'))?.body)) {
      const [plain, zipped] = [await pages(path, null), await pages(path, 'br, gzip')]
      expect(plain?.headers).to.not.have.property('Content-Encoding')
      expect(zipped?.headers).to.include({ 'Content-Encoding': 'gzip' })
      expect(gunzipSync(zipped?.body ?? '')).to.deep.equal(Buffer.from(plain?.body as Uint8Array))
    }
  })

  it('are not served at any other path', async () => {
    const pages = createPages(await opened())
    for (const path of [
      '/',
      '',
      '/pages',
      '/pages/page.js',
      '/Login',
      '/login//',
      '/api/auth/login',
      '/admin',
    ])
      expect([path, await pages(path)]).to.deep.equal([path, undefined])
  })
})
