import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { chromium, type BrowserContext, type Page } from 'playwright-core'
import { toolPath } from '../support/required-tools.js'
import { makeTemporaryFolder } from '../support/temporary-folder.js'

/** Browser settings of a user, in Chromium's own format. */
type Preferences = { readonly profile: Readonly<Record<string, unknown>> }

/** One page in a separate browser with these preferences; both are removed after `use`. */
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
