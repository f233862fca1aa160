import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { expect } from 'chai'
import type { Page } from 'playwright-core'
import type { KennelClient, KennelClientOptions, Tokens } from '../../src/client/index.js'
import { PASSWORD, startService, type TestOptions, type TestService } from '../support/http/service.js'
import { createGate, watching } from '../support/watched-store.js'
import { describeInChromium, type Visitor } from './chromium.js'

const CLIENT = join(import.meta.dirname, '..', '..', 'src', 'client')
const EMAIL = 'ada@example.com'
const REFRESH = '/api/auth/refresh'
/** Chromium draws background tabs too rarely, so poll instead. */
const OFTEN = { polling: 20 }
const PAGE = `<!doctype html><link rel="icon" href="data:," /><script type="module">
  import { createKennelClient } from '/client/index.js'
  window.open = (options) => (window.client = createKennelClient(options))
</script>`

/** A client that a test has opened in a page. */
type Opened = { readonly client: KennelClient; readonly open: (options: KennelClientOptions) => KennelClient }
declare const window: Opened

describeInChromium('tabs of one browser', (chromium) => {
  const services: TestService[] = []
  let close: () => void
  let pageOrigin: string
  before(async () => {
    const server = createServer((request, response) => {
      const module = /^\/client\/([a-z-]+\.js)$/.exec(request.url ?? '')?.[1]
      response.setHeader('Content-Type', module ? 'text/javascript' : 'text/html')
      response.end(module ? readFileSync(join(CLIENT, module)) : PAGE)
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    pageOrigin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    close = () => {
      server.close()
      server.closeAllConnections()
    }
  })
  after(() => {
    close()
  })
  afterEach(async () => {
    for (const service of services.splice(0)) await service.close()
  })

  async function serve(options: TestOptions = {}): Promise<TestService> {
    const service = await startService({ ...options, settings: { corsOrigins: [pageOrigin] } })
    services.push(service)
    await service.account(EMAIL)
    return service
  }

  const visit = ({ origin }: TestService) => chromium.visit({ origins: [pageOrigin, origin] })

  async function open(page: Page, { origin }: TestService, options: object = {}): Promise<Page> {
    await page.goto(pageOrigin)
    await page.evaluate((all) => void window.open(all), {
      baseUrl: origin,
      ...options,
    } as KennelClientOptions)
    return page
  }

  /** Two tabs; the first logs in. */
  async function twoTabs(service: TestService, visitor: Visitor) {
    const one = await open(visitor.page, service)
    const other = await open(await visitor.tab(), service)
    await one.evaluate(([email, password]) => window.client.login(email, password), [
      EMAIL,
      PASSWORD,
    ] as const)
    await other.waitForFunction((email) => window.client.identity()?.user?.email === email, EMAIL, OFTEN)
    return { one, other }
  }

  const tokensIn = (page: Page) => page.evaluate(() => window.client.tokens())
  const countOf = ({ requests }: Visitor, path: string) => requests.filter((one) => one.endsWith(path)).length
  const holdsAnother = (page: Page, { refreshToken }: Tokens) =>
    page.waitForFunction((spent) => window.client.tokens()?.refreshToken !== spent, refreshToken, OFTEN)

  it('share a refreshed token pair without a further request, and can use the pair', async () => {
    const service = await serve()
    const visitor = await visit(service)
    const { one, other } = await twoTabs(service, visitor)
    const first = (await tokensIn(other))!
    expect(await tokensIn(one)).to.deep.equal(first)
    service.clock.now += 60_000
    await one.evaluate(() => window.client.refresh())
    await holdsAnother(other, first)
    expect(await tokensIn(other)).to.deep.equal(await tokensIn(one))
    expect([countOf(visitor, REFRESH), countOf(visitor, '/get-identity')]).to.deep.equal([1, 0])
    const { user } = await other.evaluate(() => window.client.getIdentity())
    expect([user?.email, countOf(visitor, REFRESH)]).to.deep.equal([EMAIL, 1])
    visitor.expectQuiet()
  })

  it('stay logged in across a reload only if session storage is used', async () => {
    const service = await serve()
    const visitor = await visit(service)
    for (const [storage, email] of [
      ['sessionStorage', EMAIL],
      [undefined, undefined],
    ] as const) {
      const page = await open(await visitor.tab(), service, { storage })
      await page.evaluate(([name, password]) => window.client.login(name, password), [
        EMAIL,
        PASSWORD,
      ] as const)
      const before = await tokensIn(page)
      await open(page, service, { storage })
      expect(await page.evaluate(() => window.client.identity()?.user?.email)).to.equal(email)
      expect(await tokensIn(page)).to.deep.equal(email && before)
      if (email) expect((await page.evaluate(() => window.client.getIdentity())).user?.email).to.equal(email)
      await page.close()
    }
    expect(await (await visitor.tab()).evaluate('Object.keys(localStorage)').catch(() => [])).to.deep.equal(
      [],
    )
    visitor.expectQuiet()
  })

  it('refresh one after another', async () => {
    const gate = createGate()
    let begun = 0
    const aroundStore = watching(async (name, run) => {
      if (name !== 'sessions.rotate') return await run()
      begun += 1
      await gate.pass()
      return await run()
    })
    const service = await serve({ aroundStore })
    const visitor = await visit(service)
    // Removes the time limit, so that even on a slow machine no tab continues before its turn.
    await visitor.context.addInitScript('AbortSignal.timeout = () => new AbortController().signal')
    const { one, other } = await twoTabs(service, visitor)
    const first = (await tokensIn(one))!
    const renewals = [one.evaluate(() => window.client.refresh())]
    await gate.reached
    renewals.push(other.evaluate(() => window.client.refresh()))
    await other.waitForFunction(
      'navigator.locks.query().then(({ pending }) => pending.length === 1)',
      undefined,
      OFTEN,
    )
    expect(begun).to.equal(1)
    gate.release()
    for (const identity of await Promise.all(renewals)) expect(identity.user?.email).to.equal(EMAIL)
    await holdsAnother(other, first)
    expect(await tokensIn(other)).to.deep.equal(await tokensIn(one))
    for (const page of [one, other])
      expect((await page.evaluate(() => window.client.getIdentity())).user?.email).to.equal(EMAIL)
    visitor.expectQuiet()
  })
})
