import { expect } from 'chai'
import { PASSWORD } from '../support/http/service.js'
import { describeInChromium } from './chromium.js'
import { openExample, type ExampleTab } from './example-page.js'
import { EMAIL, exampleServicesOfTests, logIn, visitsOfExample } from './example-service.js'
import { withPreferences } from './preferences.js'

const COOKIE_MISSING = 'but this browser did not keep its session cookie.'

describeInChromium('the example in a browser explains', (chromium) => {
  const serve = exampleServicesOfTests()
  const visit = visitsOfExample(chromium)

  /** The message after a failed login. */
  async function refusal(tab: ExampleTab, beginning: string, password = PASSWORD): Promise<string> {
    await tab.logIn(EMAIL, password)
    const sentence = await tab.said(beginning)
    expect(await tab.shown()).to.equal(undefined)
    return sentence
  }

  it('that the service is unavailable, and the user stays logged in', async () => {
    const { origin, leave, tab } = await visit()
    await logIn(tab)
    await leave()
    await tab.press('Refresh')
    const away = `${origin} does not respond. Is the service running there, and are you online?`
    expect(await tab.said('http')).to.equal(away)
    expect(await tab.shown()).to.equal(EMAIL)
  })

  it('that the service does not list the origin of the page', async () => {
    const { ada, origin, pageOrigin, sessionsOf, visitor, tab } = await visit({ listed: false })
    const sentence = await refusal(tab, 'http')
    expect(sentence).to.contain(`${origin} responds, but not to this page.`)
    expect(sentence).to.contain(`CORS_ORIGINS=${pageOrigin} `)
    expect([await visitor.context.cookies(), await sessionsOf(ada)]).to.deep.equal([[], 0])
  })

  it('that the cookie is missing because the page is on another site', async () => {
    const { origin, visitor, tab } = await visit({ pageHost: 'localhost' })
    const sentence = await refusal(tab, origin)
    expect(sentence).to.contain(COOKIE_MISSING)
    expect(sentence).to.contain('Open this page by the host name of the service, 127.0.0.1;')
    expect(await visitor.context.cookies()).to.deep.equal([])
  })

  it('that the browser keeps no cookies', async () => {
    const { origin, pageOrigin, account } = await serve()
    await account(EMAIL)
    await withPreferences({ profile: { default_content_setting_values: { cookies: 2 } } }, async (page) => {
      const sentence = await refusal(await openExample(page, pageOrigin), origin)
      expect(sentence).to.contain(COOKIE_MISSING)
      expect(sentence).to.contain('Also allow cookies for this page.')
    })
  })
})
