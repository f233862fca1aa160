import type { Page } from 'playwright-core'
import { openApiPage } from './api-page.js'
import { describeInChromium } from './chromium.js'
import { expectCurrent } from './picture.js'
import { sharedService } from '../support/http/services.js'

const PICTURE = {
  shownIn: 'docs/http/api-reference.md',
  name: 'docs-page.png',
  size: { width: 1000, height: 700 },
  limit: 100_000,
}

/** The address in the handbook, which the test redirects to its own service. */
const ADDRESS = 'http://127.0.0.1:3000'

/** The page as text: its title, its sections in order, and the operations of the first section. */
const IN_WORDS = `(() => {
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
    await expectCurrent(PICTURE, page, IN_WORDS)
  })
})
