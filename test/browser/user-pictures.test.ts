import { describeInChromium, expectCurrent, type Picture } from './chromium.js'
import { logIn, visitsOfExample } from './example-page.js'
import { PASSWORD } from '../support/http/service.js'
import { servedPages } from './pages.js'

const PICTURE = {
  shownIn: 'docs/http/browser-accounts.md',
  name: 'account-page.png',
  size: { width: 390, height: 844 },
  limit: 60_000,
}

/** Describes the page by its visible headings and buttons. */
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

const EMAIL = 'ada@example.com'
const picture = (name: string, height: number): Picture => ({
  ...{ shownIn: 'docs/operate/ready-pages.md', name: `page-${name}.png`, limit: 50_000 },
  size: { width: 390, height },
})
const LOGIN = picture('login', 500)
const SIGN_UP = picture('sign-up', 500)
const ACCOUNT = picture('account', 620)
const DARK_ACCOUNT = picture('account-dark', 620)

/** The page as text: its address, heading, labels, buttons and links, each listed once. */
const PAGE_IN_WORDS = `(() => {
  const seen = (selector) => [...new Set(Array.from(document.querySelectorAll(selector), (one) => one.textContent.trim()))].join(', ')
  return location.pathname.slice(1) + ': ' + seen('h1, h2, .field:not([hidden]) label, button, main a') + '.'
})()`

describeInChromium('the pictures of the pages for users', (chromium) => {
  const serve = servedPages(chromium)

  for (const [one, address, heading, colorScheme] of [
    [LOGIN, 'login', 'Log in', 'light'],
    [SIGN_UP, 'sign-up', 'Create an account', 'dark'],
  ] as const)
    it(`show the current page at ${address}`, async () => {
      const { visit } = await serve()
      const { page, ...user } = await visit({ viewport: one.size, colorScheme })
      await user.open(address, heading)
      await expectCurrent(one, page, PAGE_IN_WORDS)
    })

  for (const [one, colorScheme] of [
    [ACCOUNT, 'light'],
    [DARK_ACCOUNT, 'dark'],
  ] as const)
    it(`show the current account in ${colorScheme} colors`, async () => {
      const { service, visit } = await serve({ startAt: Date.UTC(2026, 0, 2, 3, 4, 5) })
      await service.account(EMAIL)
      const { page, ...user } = await visit({ viewport: one.size, colorScheme })
      await user.open('login', 'Log in')
      await user.send({ Email: EMAIL, Password: PASSWORD })
      await user.isAt(EMAIL)
      await expectCurrent(one, page, PAGE_IN_WORDS)
    })
})
