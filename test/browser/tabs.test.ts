import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { expect } from 'chai'
import type { Page } from 'playwright-core'
import type { KennelClient, KennelClientOptions } from '../../src/client/index.js'
import { servicesOfTests, PASSWORD, type TestOptions, type TestService } from '../support/http/service.js'
import { createGate, watching } from '../support/watched-store.js'
import { listening } from '../support/listening.js'
import { describeInChromium, type Visitor } from './chromium.js'

const CLIENT = join(import.meta.dirname, '..', '..', 'src', 'client')
const EMAIL = 'ada@example.com'
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
  const start = servicesOfTests()
  const server = createServer((request, response) => {
    const module = /^\/client\/([a-z-]+\.js)$/.exec(request.url ?? '')?.[1]
    response.setHeader('Content-Type', module ? 'text/javascript' : 'text/html')
    response.end(module ? readFileSync(join(CLIENT, module)) : PAGE)
  })
  let pageOrigin: string
  before(async () => {
    pageOrigin = await listening(server)
  })
  after(() => {
    server.close()
    server.closeAllConnections()
  })

  async function serve(options: TestOptions = {}): Promise<TestService> {
    const service = await start({ ...options, settings: { corsOrigins: [pageOrigin] } })
    await service.account(EMAIL)
    return service
  }

  const visit = ({ origin }: TestService) => chromium.visit({ origins: [pageOrigin, origin] })

  async function open(page: Page, { origin }: TestService, options: object = {}): Promise<Page> {
    await page.goto(pageOrigin)
    const all = { baseUrl: origin, ...options } as KennelClientOptions
    await page.evaluate((chosen) => void window.open(chosen), all)
    return page
  }
  const logIn = (page: Page) =>
    page.evaluate(([email, password]) => window.client.login(email, password), [EMAIL, PASSWORD] as const)

  /** Two tabs; the first logs in. */
  async function twoTabs(service: TestService, visitor: Visitor) {
    const one = await open(visitor.page, service)
    const other = await open(await visitor.tab(), service)
    await logIn(one)
    await other.waitForFunction((email) => window.client.identity()?.user?.email === email, EMAIL, OFTEN)
    return { one, other }
  }

  const tokensIn = (page: Page) => page.evaluate(() => window.client.tokens())

  it('stay logged in across a reload only if session storage is used', async () => {
    const service = await serve()
    const visitor = await visit(service)
    for (const [storage, email] of [
      ['sessionStorage', EMAIL],
      [undefined, undefined],
    ] as const) {
      const page = await open(await visitor.tab(), service, { storage })
      await logIn(page)
      const before = await tokensIn(page)
      await open(page, service, { storage })
      expect(await page.evaluate(() => window.client.identity()?.user?.email)).to.equal(email)
      expect(await tokensIn(page)).to.deep.equal(email && before)
      if (email) expect((await page.evaluate(() => window.client.getIdentity())).user?.email).to.equal(email)
      await page.close()
    }
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
    // Removes the time limit, so that each tab waits for its turn, even on a slow machine.
    await visitor.context.addInitScript('AbortSignal.timeout = () => new AbortController().signal')
    const { one, other } = await twoTabs(service, visitor)
    const first = (await tokensIn(one))!
    const renewals = [one.evaluate(() => window.client.refresh())]
    await gate.reached
    renewals.push(other.evaluate(() => window.client.refresh()))
    const isWaiting = 'navigator.locks.query().then(({ pending }) => pending.length === 1)'
    await other.waitForFunction(isWaiting, undefined, OFTEN)
    expect(begun).to.equal(1)
    gate.release()
    for (const identity of await Promise.all(renewals)) expect(identity.user?.email).to.equal(EMAIL)
    const isRenewed = (spent: string) => window.client.tokens()?.refreshToken !== spent
    await other.waitForFunction(isRenewed, first.refreshToken, OFTEN)
    expect(await tokensIn(other)).to.deep.equal(await tokensIn(one))
    for (const page of [one, other])
      expect((await page.evaluate(() => window.client.getIdentity())).user?.email).to.equal(EMAIL)
    visitor.expectQuiet()
  })
})
