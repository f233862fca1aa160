import { expectAccessible, visitsOfAdminPage } from './admin-page.js'
import { describeInChromium } from './chromium.js'

describeInChromium('the page at /admin', (chromium) => {
  const visit = visitsOfAdminPage(chromium)

  for (const [name, browser] of [
    ['in light colors', { colorScheme: 'light' }],
    ['on a phone in dark colors', { colorScheme: 'dark', viewport: { width: 390, height: 844 } }],
  ] as const)
    it(`has no error that axe finds ${name}, and fits into the window`, async () => {
      const { page, visitor, open } = await visit({ browser })
      await open('', 'Log in')
      await expectAccessible(page)
      visitor.expectQuiet()
    })
})
