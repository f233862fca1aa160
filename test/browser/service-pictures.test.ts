import { PASSWORD, type TestService, sharedService } from '../support/http/service.js'
import { EMAIL, NOW, visitsOfAdminPage } from './admin-page.js'
import { describeInChromium, expectCurrent } from './chromium.js'
import type { Page } from 'playwright-core'
import { openApiPage } from './api-page.js'

const HOUR = 3_600_000
const WIDE = { width: 800, height: 500 }
const PHONE = { width: 390, height: 844 }
const picture = (name: string, size: typeof WIDE) => ({
  ...{ shownIn: 'docs/operate/admin-page.md', name, size, limit: 60_000 },
})
const ACCOUNTS = picture('admin-accounts.png', WIDE)
const ACCOUNT = picture('admin-account.png', PHONE)
const LOGINS = picture('admin-logins.png', WIDE)

/** The page as text: its visible headings, navigation links and buttons, each listed once. */
const IN_WORDS = `(() => {
  const seen = (selector) => [...new Set(Array.from(document.querySelectorAll(selector), (one) => one.textContent.trim()))].join(', ')
  return 'The administration page. ' + seen('h1, h2') + '. Sections: ' + seen('nav a') + '. Buttons: ' + seen('button:not([hidden])') + '.'
})()`

/** Logs in all day; some of the logins fail. */
async function logInAllDay({ client, clock }: TestService): Promise<void> {
  for (let hour = 23; hour >= 0; hour -= 1) {
    clock.now = NOW - hour * HOUR
    const attempts = 1 + ((hour * 7) % 5)
    for (let attempt = 0; attempt < attempts; attempt += 1) {
      const password = attempt === 3 ? 'a wrong password' : PASSWORD
      await client.call('POST', '/api/auth/login', { json: { email: EMAIL, password } })
    }
  }
}

describeInChromium('the pictures of the page at /admin', (chromium) => {
  const visit = visitsOfAdminPage(chromium)

  it('show the headings, sections and buttons of the current list of accounts', async () => {
    const { page, service, enter } = await visit({ browser: { viewport: ACCOUNTS.size } })
    for (const name of ['grace', 'judith', 'karen']) await service.account(`${name}@example.com`, ['editor'])
    await enter('users', 'Accounts')
    await expectCurrent(ACCOUNTS, page, IN_WORDS)
  })

  it('show the headings, sections and buttons of an account on a phone', async () => {
    const { page, service, enter } = await visit({
      browser: { viewport: ACCOUNT.size, colorScheme: 'dark' },
    })
    await service.account('grace@example.com', ['editor'])
    await enter('users/2', 'grace@example.com')
    await page.evaluate("document.querySelector('main').scrollIntoView()")
    await expectCurrent(ACCOUNT, page, IN_WORDS)
  })

  it('show the current chart of logins', async () => {
    const { page, service, enter } = await visit({ browser: { viewport: LOGINS.size } })
    await logInAllDay(service)
    await enter('logins', 'Logins')
    await expectCurrent(LOGINS, page, IN_WORDS)
  })
})

const PICTURE = {
  shownIn: 'docs/http/api-reference.md',
  name: 'docs-page.png',
  size: { width: 1000, height: 700 },
  limit: 100_000,
}

/** The address in the handbook, which the test redirects to its own service. */
const ADDRESS = 'http://127.0.0.1:3000'

/** The page as text: its title, its sections in order, and the operations of the first section. */
const DOCS_IN_WORDS = `(() => {
  const text = (element) => element.textContent.trim()
  const all = (selector, within = document) => Array.from(within.querySelectorAll(selector))
  const title = document.querySelector('.info .title').firstChild.textContent.trim()
  const parts = all('.opblock-tag').map((tag) => tag.dataset.tag)
  const operations = all('.opblock-summary', document.querySelector('.opblock-tag-section')).map((summary) =>
    text(summary.querySelector('.opblock-summary-method')) + ' ' + summary.querySelector('[data-path]').dataset.path)
  return 'The page at /docs: ' + title + ', with the parts ' + parts.join(', ') + '. The part ' + parts[0] + ' has ' + operations.join(', ') + '.'
})()`

describeInChromium('the picture of the page at /docs', (chromium) => {
  const service = sharedService({ mode: 'stateful', settings: { publicUrl: ADDRESS } })

  /** The page as it appears in the handbook, without content that differs between runs. */
  async function visit(): Promise<Page> {
    const { page, context } = await chromium.visit({ origins: [ADDRESS], viewport: PICTURE.size })
    await context.route(`${ADDRESS}/**`, async (route) => {
      const response = await route.fetch({ url: route.request().url().replace(ADDRESS, service.origin) })
      await route.fulfill({ response })
    })
    await openApiPage(page, `${ADDRESS}/docs`)
    return page
  }

  it('shows the same sections as the current page, and the same operations in the first section', async () => {
    const page = await visit()
    await expectCurrent(PICTURE, page, DOCS_IN_WORDS)
  })
})
