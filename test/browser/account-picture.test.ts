import { PASSWORD } from '../support/http/service.js'
import { describeInChromium } from './chromium.js'
import { openExample } from './example-page.js'
import { exampleServicesOfTests } from './example-service.js'
import { expectCurrent, expectSmall } from './picture.js'

const PICTURE = {
  shownIn: 'docs/http/browser-accounts.md',
  name: 'account-page.png',
  size: { width: 390, height: 844 },
  limit: 60_000,
}
const EMAIL = 'ada@example.com'

/** The page in words: its visible headings and buttons. */
const IN_WORDS = `(() => {
  const seen = (selector) =>
    Array.from(document.querySelectorAll(selector))
      .filter((element) => element.checkVisibility())
      .map((element) => element.textContent.trim())
      .join(', ')
  return 'The account page on a phone. ' + seen('h1, h2') + '. Buttons: ' + seen('button') + '.'
})()`

describeInChromium('the picture of the account page', (chromium) => {
  const serve = exampleServicesOfTests()

  it('shows the current page: its headings and buttons', async () => {
    const { origin, pageOrigin, account } = await serve()
    await account(EMAIL)
    const { page } = await chromium.visit({ origins: [origin, pageOrigin], viewport: PICTURE.size })
    const tab = await openExample(page, pageOrigin)
    await tab.logIn(EMAIL, PASSWORD)
    await tab.said('Logged in.')
    await page.locator('summary').click()
    await page.getByRole('listitem').first().waitFor()
    await expectCurrent(PICTURE, page, await page.evaluate<string>(IN_WORDS))
  })

  it('has the required size, and is small enough for the package', () => expectSmall(PICTURE))
})
