import { describeInChromium } from './chromium.js'
import { logIn, visitsOfExample } from './example-service.js'
import { expectCurrent } from './picture.js'

const PICTURE = {
  shownIn: 'docs/http/browser-accounts.md',
  name: 'account-page.png',
  size: { width: 390, height: 844 },
  limit: 60_000,
}

/** The page as text: its visible headings and buttons. */
const IN_WORDS = `(() => {
  const seen = (selector) =>
    Array.from(document.querySelectorAll(selector))
      .filter((element) => element.checkVisibility())
      .map((element) => element.textContent.trim())
      .join(', ')
  return 'The account page on a phone. ' + seen('h1, h2') + '. Buttons: ' + seen('button') + '.'
})()`

describeInChromium('the picture of the account page', (chromium) => {
  const visit = visitsOfExample(chromium, { viewport: PICTURE.size })

  it('shows the headings and buttons of the current page', async () => {
    const { tab } = await visit()
    const { page } = tab
    await logIn(tab)
    await page.locator('summary').click()
    await page.getByRole('listitem').first().waitFor()
    await expectCurrent(PICTURE, page, IN_WORDS)
  })
})
