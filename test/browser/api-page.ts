import type { Page } from 'playwright-core'

/** What the page shows below `Execute`. */
export type Shown = { readonly status: number; readonly text: string }

/** One operation of the page at `/docs`, opened. */
export type Operation = {
  /** What stands in the body's field. */
  body(): Promise<string>
  fillBody(json: object): Promise<void>
  fillParameter(name: string, value: string): Promise<void>
  /** Clicks `Execute` and waits for the reply to be shown, not that of an earlier time. */
  execute(): Promise<Shown>
}

/** Opens the page and waits for what it shows. */
export async function openApiPage(page: Page, address: string): Promise<void> {
  await page.goto(address)
  await page.locator('.opblock').first().waitFor()
}

/** Clicks an operation open, such as `identity-login`: its tag and its id. */
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

/** Fills in the dialog behind `Authorize`: for `scheme`, each field by its label. */
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
