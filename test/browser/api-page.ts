import { expect } from 'chai'
import type { Page } from 'playwright-core'
import { PASSWORD, type TestOptions, type TestService, servicesOfTests } from '../support/http/service.js'
import type { Chromium, Visitor } from './chromium.js'

/** The account that uses the pages. */
export const EMAIL = 'ada@example.com'

/** The reply that the page shows below `Execute`. */
export type Shown = { readonly status: number; readonly text: string }

/** One operation on the page at `/docs`, expanded. */
export type Operation = {
  /** The content of the body field. */
  body(): Promise<string>
  fillBody(json: object): Promise<void>
  fillParameter(name: string, value: string): Promise<void>
  /** Clicks `Execute` and waits for the new reply to be shown. */
  execute(): Promise<Shown>
}

/** Opens the page and waits for its content. */
export async function openApiPage(page: Page, address: string): Promise<void> {
  await page.goto(address)
  await page.locator('.opblock').first().waitFor()
}

/** A service with an administrator, and a browser that has opened its page; both are closed after each test. */
export function visitsOfApiPage(
  chromium: Chromium,
): (options?: TestOptions) => Promise<Visitor & { readonly service: TestService }> {
  const serve = servicesOfTests()
  return async (options = { mode: 'stateful' }) => {
    const service = await serve(options)
    await service.account(EMAIL, ['admin'])
    const visitor = await chromium.visit({ origins: [service.origin] })
    await openApiPage(visitor.page, `${service.origin}/docs`)
    return { ...visitor, service }
  }
}

/** Logs in with the login form of the page. */
export async function logIn(page: Page): Promise<void> {
  const login = await open(page, 'identity-login')
  await login.fillBody({ email: EMAIL, password: PASSWORD })
  expect((await login.execute()).status).to.equal(200)
}

/** Opens an operation by its tag and ID, such as `identity-login`. */
export async function open(page: Page, id: string): Promise<Operation> {
  const block = page.locator(`#operations-${id}`)
  await block.locator('.opblock-summary-control').click()
  const button = (name: string) => block.getByRole('button', { name, exact: true })
  const reply = block.locator('.live-responses-table tbody .response')
  await block.locator('.opblock-body').waitFor()
  return {
    body: () => block.locator('textarea').inputValue(),
    fillBody: (json) => block.locator('textarea').fill(JSON.stringify(json)),
    fillParameter: (name, value) => block.getByPlaceholder(name, { exact: true }).fill(value),
    execute: async () => {
      if ((await reply.count()) > 0) {
        await button('Clear').click()
        await reply.waitFor({ state: 'detached' })
      }
      await button('Execute').click()
      await reply.waitFor()
      const status = Number(await reply.locator('.response-col_status').innerText())
      return { status, text: await reply.locator('.response-col_description').innerText() }
    },
  }
}

/** Fills in the dialog that `Authorize` opens: each field of `scheme`, identified by its label. */
export async function authorize(
  page: Page,
  scheme: string,
  fields: Readonly<Record<string, string>>,
): Promise<void> {
  await page.locator('.auth-wrapper .btn.authorize').click()
  const dialog = page.locator('.modal-ux')
  const form = dialog.locator('.auth-container', { has: page.getByRole('heading', { name: scheme }) })
  for (const [label, value] of Object.entries(fields)) await form.getByLabel(label).fill(value)
  await form.getByRole('button', { name: 'Apply credentials' }).click()
  await dialog.locator('.close-modal').click()
}

/** The sentences at the top of the page. */
export async function notices(page: Page): Promise<string[]> {
  return await page.locator('.notice[role=alert]').allInnerTexts()
}
