import { readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { expect } from 'chai'
import { describeInChromium } from '../browser/chromium.js'
import { PASSWORD, startService, type TestService } from '../support/http/service.js'
import { installExample } from './packed.js'

const EMAIL = 'ada@example.com'
/** The address that the page uses for the service. */
const SERVICE = 'http://127.0.0.1:3000'

describeInChromium('from the packed tarball, the react example', (chromium) => {
  let service: TestService
  let server: Server
  let pageOrigin: string
  before(async () => {
    const folder = await installExample('react')
    const file = (name: string) => readFileSync(join(folder, 'page', name), 'utf8')
    server = createServer(({ url }, response) => {
      const isScript = url === '/app.js'
      response.setHeader('Content-Type', isScript ? 'text/javascript' : 'text/html; charset=utf-8')
      response.end(isScript ? file('app.js') : file('index.html').replace(SERVICE, service.origin))
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    pageOrigin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    service = await startService({ settings: { corsOrigins: [pageOrigin] } })
    await service.account(EMAIL)
    // The browser's own clock decides whether a stored token has expired, so the test uses the current time.
    service.clock.now = Date.now()
  })
  after(async () => {
    server.close()
    server.closeAllConnections()
    await service.close()
  })

  it('shows the same login state in all tabs, including after a reload and after a logout', async () => {
    const visitor = await chromium.visit({ origins: [pageOrigin, service.origin] })
    const one = visitor.page
    const other = await visitor.tab()
    for (const page of [one, other]) await page.goto(pageOrigin)
    await one.getByLabel('Email').fill(EMAIL)
    await one.getByLabel('Password').fill('wrong horse')
    await one.getByRole('button', { name: 'Log in' }).click()
    await one.getByRole('status').filter({ hasText: 'KennelError: Login Failed' }).waitFor()
    expect(visitor.failedReplies.splice(0)).to.have.length(1)
    await one.getByLabel('Email').fill(EMAIL)
    await one.getByLabel('Password').fill(PASSWORD)
    await one.getByRole('button', { name: 'Log in' }).click()
    const known = { name: `Log ${EMAIL} out` }
    for (const page of [one, other]) await page.getByRole('button', known).waitFor()
    await other.close()
    await one.reload()
    await one.getByRole('button', known).waitFor()
    const third = await visitor.tab()
    await third.goto(pageOrigin)
    await third.getByRole('button', known).click()
    for (const page of [one, third]) await page.getByRole('button', { name: 'Log in' }).waitFor()
    expect(visitor.requests.filter((address) => address.endsWith('/refresh'))).to.deep.equal([])
    visitor.expectQuiet()
  })
})
