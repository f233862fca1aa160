import { readFileSync, writeFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { expect } from 'chai'
import { DEFAULT_PERMISSIONS } from '../../../src/domain/access/permission-rules.js'
import { permitting } from '../../support/permissions.js'
import { servicesOfTests, sharedService } from '../../support/http/service.js'
import { join } from 'node:path'
import { createHandler } from '../../../src/adapters/web/index.js'
import { createPages, type Pages } from '../../../src/http/pages/create-pages.js'
import { openKennel } from '../../../src/index.js'
import { SILENT_LOG } from '../../../src/ports/log.js'
import { goodOptions } from '../../embedding/opening.js'
import { temporaryFolder } from '../../support/temporary-folder.js'

const PATHS = ['/login', '/sign-up', '/reset-password', '/confirm', '/account']
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'"
/** The maximum compressed size of the script and the style sheet together. */
const SIZE_MAX = 30_000

describe('the pages for users', () => {
  const pageTexts = { lang: 'de', name: `<&">'`, logo: '/logo.svg', stylesheet: '/own.css' }
  const settings = { userPages: true, docs: false, passwordMinLength: 12, pageTexts }
  const service = sharedService({ settings })
  const get = (path: string) => service.client.call('GET', path)

  it('contain no inline code', async () => {
    for (const path of PATHS) {
      const { status, headers, text } = await get(path)
      expect(status).to.equal(200)
      expect(headers).to.include({ 'cache-control': 'no-cache', 'content-security-policy': POLICY })
      expect(text).to.not.match(/<script(?![^>]* src=)|<style|style=| on\w+=|https?:/)
      expect((await get(`${path}/`)).headers['location']).to.equal(`..${path}`)
    }
  })

  it('contain the texts of the operator, and escape them', async () => {
    const { text } = await get('/login')
    expect(text).to.include('<html lang="de">').and.to.include(`<title>&#60;&#38;&#34;&#62;'</title>`)
    expect(text).to.include('<img class="logo" src="/logo.svg" alt="">')
    expect(text).to.include('<link rel="stylesheet" href="/own.css">')
  })

  it(`load a script and a style sheet of at most ${SIZE_MAX} bytes in total`, async () => {
    const { text } = await get('/account')
    const names = Array.from(text.matchAll(/(?:src|href)="(pages\/[^"]+)"/g), ([, name]) => `/${name}`)
    expect(names.map((name) => name.replace(/\.[0-9a-f]{16}\./, '.#.'))).to.deep.equal([
      ...['/pages/page.#.css', '/pages/page.#.js'],
    ])
    const files = await Promise.all(names.map(get))
    expect(files.map(({ status }) => status)).to.deep.equal([200, 200])
    const sizes = files.map((file) => gzipSync(file.text, { level: 9 }).length)
    expect(sizes.reduce((one, other) => one + other)).to.be.within(5000, SIZE_MAX)
  })

  it('are the target of the redirect from / if there is no page at /docs', async () => {
    const { status, headers } = await get('/')
    expect([status, headers['location']]).to.deep.equal([302, 'login'])
  })
})

describe('the operations that the pages for users offer', () => {
  const serve = servicesOfTests()
  const { everyone } = DEFAULT_PERMISSIONS.roles
  const auth = [...everyone.components.auth, 'sign-up', 'reset-password']
  const permissions = permitting({ everyone: { components: { ...everyone.components, auth } } })

  for (const [signUp, offered] of [
    ['on', ['login', 'requestPasswordReset', 'requestSignUp']],
    ['invited', ['login', 'requestPasswordReset']],
  ] as const)
    it(`are those that the permissions allow, with SIGN_UP=${signUp}`, async () => {
      const settings = { userPages: true, signUp }
      const { client } = await serve({ permissions, settings, mode: 'stateful' })
      const { text } = await client.call('GET', '/login')
      const data = (/data-settings="([^"]*)"/.exec(text)?.[1] ?? '').replaceAll('&#34;', '"')
      expect(JSON.parse(data)).to.deep.include({ stateless: false, passwordMinLength: 8, texts: {} })
      expect((JSON.parse(data) as { offered: unknown }).offered).to.deep.equal([
        ...offered,
        ...['changePassword', 'listOwnSessions', 'endOwnSessions', 'setUpSecondFactor', 'confirmLogin'],
      ])
    })
})

describe('a service with PAGES=off', () => {
  const service = sharedService({ settings: { docs: false } })

  it('has no page for users', async () => {
    const unknown = await service.client.call('GET', '/nothing')
    for (const path of [...PATHS, '/login/', '/pages/page.js', '/']) {
      const { status, text } = await service.client.call('GET', path)
      expect([path, status, text]).to.deep.equal([path, 404, unknown.text])
    }
  })
})

describe('the return address after a login', () => {
  const origin = 'https://kennel.example'
  type Script = {
    returnAddress: (text: string | null | undefined, origin: string) => string | undefined
  }
  const source = new URL('../../../../src/http/pages/return-path.js', import.meta.url)

  it('is a path of this service, and never another site or a script', async () => {
    const { returnAddress } = (await import(source.href)) as Script
    for (const path of ['/x', '/x?y=//z#w']) expect(returnAddress(path, origin)).to.equal(origin + path)
    expect(returnAddress('/.//evil.example', origin)).to.equal(`${origin}//evil.example`)
    for (const text of [
      ...[null, '', 'x', 'https://evil.example', '//evil.example', '/\\evil.example', '\\/evil.example'],
      ...['/\t/evil.example', '/\n//evil.example', ' /x', '/x\\y', 'javascript:alert(1)', '/\u0000'],
    ])
      expect(returnAddress(text, origin), JSON.stringify(text)).to.equal(undefined)
  })
})

describe('the German texts', () => {
  const textsOf = (path: string) => JSON.parse(readFileSync(path, 'utf8')) as Readonly<Record<string, string>>
  const [english, german] = [textsOf('templates/pages/en.json'), textsOf('docs/operate/files/pages.de.json')]
  const namesIn = (text = '') => text.match(/\{\w+\}/g)

  it('have every key, with the same placeholders', () => {
    expect(Object.keys(german)).to.deep.equal(Object.keys(english))
    for (const [key, text] of Object.entries(english))
      expect([key, namesIn(german[key])]).to.deep.equal([key, namesIn(text)])
  })
})

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
    for (const path of ['/login', '/account/', ...files]) {
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

  it('are not served at any other path', async () => {
    const pages = createPages(await opened())
    for (const path of ['/', '', '/pages/page.js', '/Login', '/login//', '/admin'])
      expect([path, await pages(path)]).to.deep.equal([path, undefined])
  })
})
