import { once } from 'node:events'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { extname, join, normalize } from 'node:path'
import { expect } from 'chai'
import type { Page as Tab } from 'playwright-core'
import { describeInChromium } from '../browser/chromium.js'
import { SECTIONS, pagesOf, readPage } from '../handbook/page.js'
import { npm } from '../packed/packed.js'
import { PROJECT } from '../support/project.js'
import { rotating } from '../support/rotation.js'

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.json': 'application/json',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
}

/** Serves a folder like a static page host: `/a/b` is the file `a/b.html`. */
async function serveSite(folder: string): Promise<{ origin: string; close(): Promise<void> }> {
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://site')
    const path = normalize(pathname.endsWith('/') ? `${pathname}index` : pathname)
    const file = [path, `${path}.html`].find((one) => extname(one) in TYPES && existsSync(join(folder, one)))
    if (file === undefined) response.writeHead(404).end()
    else
      response.writeHead(200, { 'Content-Type': TYPES[extname(file)] }).end(readFileSync(join(folder, file)))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the server has no port')
  return {
    origin: `http://127.0.0.1:${address.port}`,
    close: async () => {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}

const FOLDER = join(PROJECT, 'reports', 'site')
const NARROW = { width: 390, height: 844 }
const WIDE = { width: 1280, height: 900 }
/** Long, because the first build installs packages and the machine may be busy. */
const BUILD_TIMEOUT = 1_200_000

const addressOf = (path: string) => path.replace(/^docs/, '').replace(/\.md$/, '')

describeInChromium('the handbook as a site', function (chromium) {
  this.timeout(BUILD_TIMEOUT)
  const written = [...SECTIONS.flatMap(pagesOf), readPage('docs/withstanding.md')].map(({ path, steps }) => ({
    address: addressOf(path),
    drawings: steps.filter((step) => step.kind === 'other' && step.language === 'mermaid').length,
  }))
  const pages = [
    ...written,
    ...['/tables/laws', '/tables/assumptions'].map((address) => ({ address, drawings: 0 })),
  ]
  /** In CI, each commit tests a different third of the pages; the complete matrix tests all pages. */
  const third = <Item>(items: readonly Item[]) => rotating(items, Math.ceil(items.length / 3))
  const drawn = third(pages.filter(({ drawings }) => drawings > 0))
  let site: Awaited<ReturnType<typeof serveSite>>

  before(async () => {
    rmSync(FOLDER, { recursive: true, force: true })
    await npm(PROJECT, ['run', '--silent', 'docs', '--', 'build'])
    site = await serveSite(FOLDER)
  })
  after(() => site.close())

  const visit = (options: { viewport: typeof NARROW; colorScheme?: 'dark' }) =>
    chromium.visit({ origins: [site.origin], ...options })

  async function open(page: Tab, address: string): Promise<void> {
    const reply = await page.goto(`${site.origin}${address}`, { waitUntil: 'networkidle' })
    expect(reply?.status(), address).to.equal(200)
  }

  it('has every page of the table of contents in its menu', async () => {
    const { page, expectQuiet } = await visit({ viewport: WIDE })
    await open(page, '/')
    const links = await page.evaluate<string[]>(
      `Array.from(document.querySelectorAll('.VPSidebar a'), ({ href }) => new URL(href).pathname)`,
    )
    expect(links.toSorted()).to.deep.equal(pages.map(({ address }) => address).toSorted())
    expectQuiet()
  })

  it('shows its pages on a phone without errors or horizontal scrolling', async () => {
    const { page, expectQuiet } = await visit({ viewport: NARROW })
    for (const { address } of third(pages)) {
      await open(page, address)
      expect(await page.locator('main h1').count(), address).to.equal(1)
      expect(await page.evaluate<number>('document.documentElement.scrollWidth'), address).to.equal(
        NARROW.width,
      )
    }
    expectQuiet()
  })

  for (const colorScheme of rotating([undefined, 'dark'] as const, 1))
    it(`renders the diagrams (${colorScheme ?? 'light'})`, async () => {
      const { page, expectQuiet } = await visit({ viewport: NARROW, ...(colorScheme && { colorScheme }) })
      expect(drawn).to.not.be.empty
      for (const { address, drawings } of drawn) {
        await open(page, address)
        await page
          .locator('.drawing svg')
          .nth(drawings - 1)
          .waitFor()
        expect(await page.locator('.drawing svg').count(), address).to.equal(drawings)
        expect(await page.locator('.drawing').filter({ hasText: 'Syntax error' }).count(), address).to.equal(
          0,
        )
        const isDark = await page.evaluate<boolean>(
          `getComputedStyle(document.body).backgroundColor !== 'rgb(255, 255, 255)'`,
        )
        expect(isDark).to.equal(colorScheme === 'dark')
      }
      expectQuiet()
    })

  it('finds a page', async () => {
    const { page, expectQuiet } = await visit({ viewport: WIDE })
    await open(page, '/')
    await page.locator('#local-search button').click()
    await page.locator('#localsearch-input').fill('threat model')
    const first = page.locator('.VPLocalSearchBox .result').first()
    await first.click()
    await page.waitForURL(`${site.origin}/contribute/threat-model*`)
    // The browser changes the address before it shows the new page.
    await page.locator('main h1').filter({ hasText: 'Threat model' }).waitFor()
    expectQuiet()
  })
})
