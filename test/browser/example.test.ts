import { expect } from 'chai'
import type { Page } from 'playwright-core'
import { PASSWORD } from '../support/http/service.js'
import { describeInChromium } from './chromium.js'
import { openExample, EMAIL, logIn, visitsOfExample } from './example-page.js'

const REFRESHED = 'The tokens and the cookie are new.'
const KNOWN = 'The service knows you.'

describeInChromium('the example in a browser, on another origin', (chromium) => {
  const visit = visitsOfExample(chromium)

  it('logs in, shows who is logged in, refreshes, creates a project and logs out', async () => {
    const { ada, sessionsOf, visitor, tab } = await visit({ roles: ['project-editor'] })
    const { page } = visitor
    expect(await tab.shown()).to.equal(undefined)
    await logIn(tab)
    expect(await tab.shown()).to.equal(EMAIL)
    expect(await page.locator('#roles').textContent()).to.equal('project-editor')
    await tab.press('Refresh')
    await tab.said(REFRESHED)
    await tab.press('Who am I?')
    await tab.said(KNOWN)
    await page.getByLabel('Project', { exact: true }).fill('Kennel roof')
    await page.getByRole('button', { name: 'Create project' }).click()
    expect(await tab.said('The project')).to.equal('The project was created.')
    expect(await sessionsOf(ada)).to.equal(1)
    await tab.press('Log out')
    await tab.said('Logged out.')
    expect([await tab.shown(), await sessionsOf(ada)]).to.deep.equal([undefined, 0])
    expect(await page.context().cookies()).to.deep.equal([])
    visitor.expectQuiet()
  })

  it('uses a cookie that scripts cannot read, and stores no token', async () => {
    const { origin, pageOrigin, visitor, tab } = await visit()
    const { page, context } = visitor
    const replied = page.waitForResponse(`${origin}/api/auth/login`)
    await logIn(tab)
    const { view } = (await (await replied).json()) as { view: { jwt: string; refreshToken: string } }
    const [{ value, ...cookie }, ...others] = (await context.cookies()) as [Cookie, ...Cookie[]]
    expect(others).to.deep.equal([])
    expect(value).to.match(/^[\w-]{43}$/)
    const attributes = { path: '/', expires: -1, httpOnly: true, secure: false, sameSite: 'Strict' }
    expect(cookie).to.deep.equal({ name: 'sid', domain: '127.0.0.1', ...attributes })
    const left = await everythingKept(page)
    expect(left).to.include({ cookies: '', stored: '[{},{}]', databases: '[]', address: `${pageOrigin}/` })
    for (const secret of [value, view.jwt, view.refreshToken, PASSWORD])
      expect(JSON.stringify(left)).to.not.include(secret)
    visitor.expectQuiet()
  })

  it('takes over the login of another tab after a reload, and is logged out if there is no other tab', async () => {
    const { pageOrigin, visitor, tab } = await visit()
    await logIn(tab)
    const other = await openExample(await visitor.tab(), pageOrigin)
    await other.shows(EMAIL)
    await tab.page.reload()
    await tab.shows(EMAIL)
    await other.page.close()
    await tab.page.reload()
    expect(await tab.shown()).to.equal(undefined)
    expect(await tab.page.getByText('The tokens stay in the memory').isVisible()).to.equal(true)
    await logIn(tab)
    visitor.expectQuiet()
  })
})

type Cookie = Awaited<ReturnType<ReturnType<Page['context']>['cookies']>>[number]

/** Returns everything that the page stores, its address, and its HTML. */
function everythingKept(page: Page): Promise<Record<string, string>> {
  return page.evaluate(`(async () => ({
    cookies: document.cookie,
    stored: JSON.stringify([localStorage, sessionStorage]),
    databases: JSON.stringify(await indexedDB.databases()),
    address: location.href,
    page: document.documentElement.outerHTML,
  }))()`)
}
