import type { BrowserContextOptions, Page } from 'playwright-core'
import { DEFAULT_PERMISSIONS } from '../../src/domain/access/permission-rules.js'
import { type TestOptions, type TestService, servicesOfTests } from '../support/http/service.js'
import { createPostbox, fragmentOf, linkIn, ownTemplates } from '../support/mail/postbox.js'
import { permitting } from '../support/permissions.js'
import type { Chromium, Visitor } from './chromium.js'

const { everyone, user } = DEFAULT_PERMISSIONS.roles

/** Every action that the pages have a form for. */
const PERMISSIONS = permitting({
  everyone: {
    components: {
      ...everyone.components,
      auth: [...everyone.components.auth, 'reset-password', 'sign-up', 'login-by-mail'],
    },
  },
  user: {
    components: { auth: [...user.components.auth, 'change-email', 'delete-account', 'export-account'] },
  },
})

/** A page for users in a browser. */
export type UserPage = {
  readonly page: Page
  readonly visitor: Visitor
  /** Opens an address such as `login`, and waits for the heading. */
  readonly open: (address: string, heading: string) => Promise<void>
  /** Resolves when the heading has this text and is focused. */
  readonly isAt: (heading: string) => Promise<void>
  /** Fills in the fields, identified by their labels, and submits the form with the Enter key. */
  readonly send: (values: Readonly<Record<string, string>>) => Promise<void>
  readonly press: (name: string) => Promise<void>
  readonly says: (text: string | RegExp) => Promise<void>
}

/** A service with the pages for users, and browsers with the pages. */
export type ServedPages = {
  readonly service: TestService
  readonly visit: (options?: BrowserContextOptions) => Promise<UserPage>
  /** Sends the queued emails, and returns the fragment of the link in the last email. */
  readonly mailed: () => Promise<Readonly<Record<string, string>>>
}

export function servedPages(chromium: Chromium): (options?: TestOptions) => Promise<ServedPages> {
  const serve = servicesOfTests()
  return async (options = {}) => {
    const postbox = createPostbox()
    const service = await serve({
      ...{ mode: 'stateful', permissions: PERMISSIONS, startAt: Date.now() },
      mail: { mailer: postbox.mailer, templates: ownTemplates() },
      ...options,
      settings: { userPages: true, ...options.settings },
    })
    return {
      service,
      visit: async (browser) =>
        userPage(
          await chromium.visit({ origins: [service.origin], locale: 'en-GB', timezoneId: 'UTC', ...browser }),
          service.origin,
        ),
      mailed: async () => {
        await service.mails().sendMails()
        return fragmentOf(linkIn(postbox.arrived.at(-1)))
      },
    }
  }
}

export function userPage(visitor: Visitor, origin: string): UserPage {
  const { page } = visitor
  const isAt = async (heading: string) => {
    const shown = page.getByRole('heading', { level: 1, name: heading, exact: true })
    await shown.and(page.locator(':focus')).waitFor()
  }
  return {
    ...{ page, visitor, isAt },
    open: async (address, heading) => {
      await page.goto(`${origin}/${address}`)
      await isAt(heading)
    },
    send: async (values) => {
      for (const [label, value] of Object.entries(values))
        await page.getByLabel(label, { exact: true }).fill(value)
      await page.keyboard.press('Enter')
    },
    press: (name) => page.getByRole('button', { name, exact: true }).click(),
    says: (text) => page.getByRole('status').filter({ hasText: text }).waitFor(),
  }
}
