import { expect } from 'chai'
import type { Page } from 'playwright-core'
import { PRODUCTION, workplaceOfTests } from '../cli/app.js'
import { reservedPort } from '../support/reserved-port.js'
import { describeInChromium, type Visitor, withPreferences } from './chromium.js'
import { openExample, serveExample, type ExampleTab, type ServedExample } from './example-page.js'
import { describeBehindNginx } from './nginx.js'

const EMAIL = 'ada@example.com'
const PASSWORD = 'a long walk in the park'
const HOSTS = ['pets.example', 'app.pets.example', 'shop.example']
const NAMES = `--host-resolver-rules=${HOSTS.map((host) => `MAP ${host} 127.0.0.1`).join(', ')}`
const SECURE = {
  name: '__Host-sid',
  domain: 'pets.example',
  path: '/',
  expires: -1,
  httpOnly: true,
  secure: true,
}

describeBehindNginx('the example and app serve in production behind nginx', (start) => {
  describeInChromium(
    'in a browser',
    (chromium) => {
      const place = workplaceOfTests()
      let served: ServedExample | undefined
      beforeEach(() => place.app(['user', 'create', EMAIL, '--password-stdin'], { input: PASSWORD }))
      afterEach(() => served?.close())

      /** Serves the service at https://pets.example and the page at every other host; returns their shared port. */
      async function serve(sameSite: 'strict' | 'none'): Promise<number> {
        const port = await reservedPort()
        const publicUrl = `https://pets.example:${port}`
        const { origin } = await place.serve({
          ...PRODUCTION,
          PUBLIC_URL: publicUrl,
          TRUST_PROXY: '1',
          SESSION_COOKIE_SAMESITE: sameSite,
          CORS_ORIGINS: `https://app.pets.example:${port},https://shop.example:${port}`,
        })
        served = await serveExample(publicUrl)
        const page = served.origin
        const upstreams = { 'pets.example': origin, 'app.pets.example': page, 'shop.example': page }
        await start({ port, tls: true, address: '127.0.0.21', upstreams })
        return port
      }

      async function visit(port: number): Promise<Visitor> {
        const origins = HOSTS.map((host) => `https://${host}:${port}`)
        return await chromium.visit({ origins, ignoreHTTPSErrors: true })
      }

      it('use a Secure SameSite=Strict cookie for a page on the same site', async () => {
        const port = await serve('strict')
        const visitor = await visit(port)
        const { page, context } = visitor
        const tab = await openExample(page, `https://app.pets.example:${port}`)
        await useAll(tab)
        const [cookie, ...others] = await context.cookies()
        expect([cookie, others]).to.deep.equal([{ ...SECURE, value: cookie?.value, sameSite: 'Strict' }, []])
        expect(await page.evaluate('document.cookie')).to.equal('')
        const { stdout } = await place.app(['audit', 'list', '--event', 'login'])
        expect((JSON.parse(stdout) as { address: unknown }[]).map(({ address }) => address)).to.deep.equal([
          '127.0.0.1',
        ])
        visitor.expectQuiet()
      })

      it('explain to a page on another site that a SameSite=Strict cookie cannot work', async () => {
        const port = await serve('strict')
        const { page, context } = await visit(port)
        const tab = await openExample(page, `https://shop.example:${port}`)
        await tab.logIn(EMAIL, PASSWORD)
        const sentence = await tab.said(`https://pets.example:${port} has logged you in`)
        expect(sentence).to.contain('this browser did not keep its session cookie')
        expect(sentence).to.contain('SESSION_COOKIE_SAMESITE=none')
        expect([await tab.shown(), await context.cookies()]).to.deep.equal([undefined, []])
      })

      it('work on another site with a partitioned cookie if the browser blocks third-party cookies', async () => {
        const port = await serve('none')
        const visitor = await visit(port)
        const { page, context } = visitor
        const tab = await openExample(page, `https://shop.example:${port}`)
        await askForOrdinaryCookie(page, port)
        await useAll(tab)
        const [cookie, ...others] = await context.cookies()
        expect(others).to.deep.equal([])
        expect(cookie).to.include({ ...SECURE, sameSite: 'None', partitionKey: 'https://shop.example' })
        const second = await openExample(await context.newPage(), `https://shop.example:${port}`)
        await second.shows(EMAIL)
        await second.press('Log out')
        await tab.said('You logged out in another tab')
        expect(await context.cookies()).to.deep.equal([])
        visitor.expectQuiet()
      })

      it('work on another site if the browser allows third-party cookies', async () => {
        const port = await serve('none')
        const allowing = { profile: { cookie_controls_mode: 0 } }
        await withPreferences(
          allowing,
          async (page) => {
            const tab = await openExample(page, `https://shop.example:${port}`)
            await askForOrdinaryCookie(page, port)
            await useAll(tab)
            const names = (await page.context().cookies()).map(({ name }) => name)
            expect(names).to.have.members(['ordinary', '__Host-sid'])
          },
          [NAMES],
        )
      })
    },
    [NAMES],
  )
})

async function useAll(tab: ExampleTab): Promise<void> {
  await tab.logIn(EMAIL, PASSWORD)
  await tab.said('Logged in.')
  await tab.press('Refresh')
  await tab.said('The tokens and the cookie are new.')
  await tab.press('Who am I?')
  await tab.said('The service knows you.')
  expect(await tab.shown()).to.equal(EMAIL)
}

/** Checks how the browser treats unpartitioned cookies. */
async function askForOrdinaryCookie(page: Page, port: number): Promise<void> {
  const address = `https://pets.example:${port}/ordinary-cookie`
  await page.evaluate(`fetch('${address}', { mode: 'no-cors', credentials: 'include' })`)
}
