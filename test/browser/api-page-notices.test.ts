import { createServer } from 'node:http'
import { expect } from 'chai'
import Koa from 'koa'
import { createHttpService } from '../../src/adapters/koa/index.js'
import { type TestOptions, sharedService } from '../support/http/service.js'
import { EMAIL, logIn, notices, open, openApiPage } from './api-page.js'
import { describeInChromium, withPreferences } from './chromium.js'
import { mount } from '../support/http/mount.js'
import { listening } from '../support/listening.js'
import { SILENT_LOG } from '../../src/ports/log.js'
import { openMemoryKennel } from '../support/http/memory-kennel.js'

const STATEFUL: TestOptions = { mode: 'stateful' }
const BLOCK_ALL_COOKIES = { profile: { default_content_setting_values: { cookies: 2 } } }
/** The width of the narrowest phones, in pixels. */
const WIDTH = 360

describeInChromium('the page at /docs shows a notice', (chromium) => {
  const service = sharedService(STATEFUL)
  before(() => service.account(EMAIL))

  it('when opened at an address other than the service’s, with a link to the correct address', async () => {
    // Browsers resolve every subdomain of localhost to this machine. The service does not know this subdomain.
    const other = service.origin.replace('127.0.0.1', 'kennel.localhost')
    const { page, expectQuiet } = await chromium.visit({ origins: [other, service.origin] })
    await openApiPage(page, `${other}/docs`)
    const right = `${service.origin}/docs`
    expect(await notices(page)).to.deep.equal([
      `Requests cannot be sent from this address. Open this page at ${right}`,
    ])
    await page.locator('#operations-identity-login .opblock-summary-control').click()
    await page.locator('#operations-identity-login .opblock-body').waitFor()
    expect(await page.getByRole('button', { name: 'Execute' }).count()).to.equal(0)
    await page.getByRole('link', { name: right }).click()
    await page.waitForURL(right)
    await page.locator('.opblock').first().waitFor()
    expect(await notices(page)).to.deep.equal([])
    expectQuiet()
  })

  it('when the browser keeps no cookies', async () => {
    await withPreferences(BLOCK_ALL_COOKIES, async (page) => {
      const errors: string[] = []
      page.on('pageerror', ({ message }) => errors.push(message))
      await openApiPage(page, `${service.origin}/docs`)
      await logIn(page)
      expect(await notices(page)).to.deep.equal([])
      expect((await (await open(page, 'identity-getIdentity')).execute()).status).to.equal(401)
      const [notice, ...others] = await notices(page)
      expect(notice).to.match(/^The service has not seen the session cookie of this login\./)
      expect(others).to.deep.equal([])
      expect(errors).to.deep.equal([])
    })
  })

  it('only until the next successful login', async () => {
    const { page, context } = await chromium.visit({ origins: [service.origin] })
    await openApiPage(page, `${service.origin}/docs`)
    const identity = await open(page, 'identity-getIdentity')
    expect((await identity.execute()).status).to.equal(401)
    expect(await notices(page), 'no login yet').to.deep.equal([])
    await logIn(page)
    await context.clearCookies()
    expect((await identity.execute()).status).to.equal(401)
    expect(await notices(page)).to.have.length(1)
    const login = page.locator('#operations-identity-login')
    await login.getByRole('button', { name: 'Execute' }).click()
    await page.locator('.notice[role=alert]').waitFor({ state: 'detached' })
    expect((await identity.execute()).status).to.equal(200)
    await context.clearCookies()
    expect((await identity.execute()).status).to.equal(401)
    expect(await notices(page), 'the cookie had come before').to.deep.equal([])
  })

  it('when the API description cannot be loaded', async () => {
    const { page } = await chromium.visit({ origins: [service.origin] })
    await page.route('**/openapi.json', (route) => route.fulfill({ status: 503, body: '{}' }))
    await page.goto(`${service.origin}/docs`)
    await page.locator('.notice[role=alert]').waitFor()
    const told = ['The description of the interface could not be shown: status 503.']
    expect(await notices(page)).to.deep.equal(told)
  })

  it('when the browser does not run JavaScript', async () => {
    const { page } = await chromium.visit({ origins: [service.origin], javaScriptEnabled: false })
    await page.goto(`${service.origin}/docs`)
    expect(await page.locator('body').innerText()).to.include('This page needs JavaScript.')
  })
})

describeInChromium('the page at /docs on a phone', (chromium) => {
  const service = sharedService(STATEFUL)
  before(() => service.account(EMAIL))

  it(`fits into a width of ${WIDTH} pixels, with buttons that are large enough for touch`, async () => {
    const viewport = { width: WIDTH, height: 740 }
    const phone = { viewport, isMobile: true, hasTouch: true }
    const { page, errors } = await chromium.visit({ origins: [service.origin], ...phone })
    await openApiPage(page, `${service.origin}/docs`)
    expect(await page.evaluate('document.documentElement.scrollWidth'), 'closed').to.equal(WIDTH)
    await logIn(page)
    await (await open(page, 'identity-getIdentity')).execute()
    await (await open(page, 'pets-listPets')).execute()
    await (await open(page, 'identity-listSessions')).execute()
    const opened = ['pets-patchPet', 'pets-removePet', 'project-closeProject', 'identity-confirmSecondFactor']
    for (const id of opened) await open(page, id)
    await page.locator('.models-control').first().click()
    expect(await page.evaluate('document.documentElement.scrollWidth'), 'open').to.equal(WIDTH)
    for (const button of await page.locator('.btn:visible, .opblock-summary-control:visible').all())
      expect((await button.boundingBox())?.height, await button.innerText()).to.be.at.least(40)
    await page.locator('.auth-wrapper .btn.authorize').click()
    const dialog = await page.locator('.modal-ux').boundingBox()
    expect(dialog?.x).to.be.at.least(0)
    expect((dialog?.x ?? 0) + (dialog?.width ?? 0)).to.be.at.most(WIDTH)
    expect(errors).to.deep.equal([])
  })
})

describeInChromium('the page at /docs of a service that another application has mounted', (chromium) => {
  it('supports all steps from login to logout below the prefix', async () => {
    const server = createServer()
    const publicUrl = await listening(server)
    const kennel = await openMemoryKennel({ publicUrl })
    const parts = { useCases: kennel, settings: kennel.httpSettings, readiness: () => kennel.ready() }
    const mountable = createHttpService({ ...parts, log: SILENT_LOG, prefix: '/kennel' })
    const answer = new Koa().use(mount('/kennel', mountable)).callback()
    server.on('request', (request, response) => void answer(request, response))
    try {
      const { page, expectQuiet } = await chromium.visit({ origins: [publicUrl] })
      await openApiPage(page, `${publicUrl}/kennel/docs/`)
      expect(new URL(page.url()).pathname).to.equal('/kennel/docs')
      await logIn(page)
      expect((await (await open(page, 'identity-getIdentity')).execute()).text).to.include(EMAIL)
      expect((await (await open(page, 'identity-refresh')).execute()).status).to.equal(200)
      expect((await (await open(page, 'identity-logout')).execute()).status).to.equal(200)
      expectQuiet()
    } finally {
      server.closeAllConnections()
      server.close()
      await kennel.close()
    }
  })
})
