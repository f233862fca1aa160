import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { chromium, type BrowserContext, type Page } from 'playwright-core'
import { toolPath } from '../support/required-tools.js'
import { makeTemporaryFolder } from '../support/temporary-folder.js'

/** How a user has set the browser up, as Chromium itself keeps it. */
type Preferences = { readonly profile: Readonly<Record<string, unknown>> }

/** One page in a browser of its own with these preferences; both are gone when `use` is over. */
export async function withPreferences(
  preferences: Preferences,
  use: (page: Page) => Promise<void>,
  args: readonly string[] = [],
): Promise<void> {
  const { path: folder, remove } = makeTemporaryFolder()
  let context: BrowserContext | undefined
  try {
    mkdirSync(join(folder, 'Default'))
    writeFileSync(join(folder, 'Default', 'Preferences'), JSON.stringify(preferences))
    context = await chromium.launchPersistentContext(folder, {
      executablePath: toolPath('chromium'),
      args: ['--no-sandbox', ...args],
      ignoreHTTPSErrors: true,
    })
    await use(await context.newPage())
  } finally {
    await context?.close()
    remove()
  }
}
