import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect } from 'chai'
import type { BrowserContextOptions, Locator, Page } from 'playwright-core'
import { permitting } from '../support/permissions.js'
import { RESETS_PERMITTED } from '../support/http/resetting.js'
import { PASSWORD, type TestOptions, type TestService, servicesOfTests } from '../support/http/service.js'
import type { Chromium, Visitor } from './chromium.js'

/** The email of the test account, which is an administrator unless the visit specifies other roles. */
export const EMAIL = 'ada@example.com'
/** The fixed time on the browser's and the service's clocks. */
export const NOW = Date.UTC(2026, 5, 1, 12, 30)

/** `admin` may do everything, `helpdesk` may change accounts, and `reader` may find and read accounts. */
const PERMISSIONS = permitting({
  ...RESETS_PERMITTED.roles,
  admin: {
    components: {
      ...{ user: ['*'], 'user-task': ['*'], role: ['*'], session: ['*'], apikey: ['*'], audit: ['*'] },
      ...{ auth: ['*'], pets: ['*'], project: ['*'], store: ['*'] },
    },
  },
  helpdesk: { components: { user: ['*'], 'user-task': ['password'] } },
  reader: { components: { user: ['list', 'show'] } },
  editor: { components: { pets: ['create'] } },
})

/** One visitor's tab with the administration page. */
export type AdminPage = {
  readonly page: Page
  readonly visitor: Visitor
  readonly service: TestService
  /** Opens an address of the page, such as `users`, and waits for the heading. */
  readonly open: (address: string, heading: string) => Promise<void>
  readonly logIn: (email?: string) => Promise<void>
  /** Opens an address of the page, logs in, and waits for the heading. */
  readonly enter: (address: string, heading: string) => Promise<void>
  /** Resolves when the heading of the view has this text and is focused. */
  readonly isAt: (heading: string) => Promise<void>
  readonly press: (name: string) => Promise<void>
  readonly dialog: Locator
  /** Resolves when the page shows this message. */
  readonly says: (text: string | RegExp) => Promise<void>
}

export type AdminVisit = TestOptions & {
  readonly roles?: readonly string[]
  readonly browser?: BrowserContextOptions
}

/** A service with an administrator, and a browser that shows the admin page; both are closed after each test. */
export function visitsOfAdminPage(chromium: Chromium): (visit?: AdminVisit) => Promise<AdminPage> {
  const serve = servicesOfTests()
  return async ({ roles = ['admin'], browser, ...options } = {}) => {
    const service = await serve({
      ...{ mode: 'stateful', permissions: PERMISSIONS, startAt: NOW },
      ...options,
      settings: { administration: 'page', ...options.settings },
    })
    await service.account(EMAIL, roles)
    return await openAdminPage(chromium, service, browser)
  }
}

export async function openAdminPage(
  chromium: Chromium,
  service: TestService,
  browser: BrowserContextOptions = {},
): Promise<AdminPage> {
  const visitor = await chromium.visit({
    ...{ origins: [service.origin], locale: 'en-GB', timezoneId: 'UTC', ...browser },
  })
  const { page } = visitor
  await page.clock.setFixedTime(NOW)
  const isAt = async (heading: string) => {
    const shown = page.getByRole('heading', { level: 1, name: heading, exact: true })
    await shown.and(page.locator(':focus')).waitFor()
  }
  const field = (name: string) => page.getByLabel(name, { exact: true })
  const open = async (address: string, heading: string) => {
    await page.goto(`${service.origin}/admin#/${address}`)
    await isAt(heading)
  }
  const logIn = async (email = EMAIL) => {
    await field('Email').fill(email)
    await field('Password').fill(PASSWORD)
    await field('Password').press('Enter')
  }
  return {
    ...{ page, visitor, service, isAt, open, logIn },
    enter: async (address, heading) => {
      await open(address, 'Log in')
      await logIn()
      await isAt(heading)
    },
    press: (name) => page.getByRole('button', { name, exact: true }).click(),
    dialog: page.getByRole('dialog'),
    says: (text) => page.getByRole('status').filter({ hasText: text }).waitFor(),
  }
}

const AXE = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8')
const VIOLATIONS = `axe.run().then(({ violations }) =>
  violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html).join(' ')))`

/** Expects that axe finds no problem and that the page is not wider than the window. */
export async function expectAccessible(page: Page): Promise<void> {
  await page.evaluate(AXE)
  expect(await page.evaluate(VIOLATIONS)).to.deep.equal([])
  const widths = '[document.documentElement.scrollWidth, document.documentElement.clientWidth]'
  const [content, window] = await page.evaluate<[number, number]>(widths)
  expect(content).to.equal(window)
}
