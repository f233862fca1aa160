import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium, type BrowserContext, type Page } from 'playwright-core'
import { chromiumPath } from './chromium.js'

/** How a user has set the browser up, as Chromium itself keeps it. */
type Preferences = { readonly profile: Readonly<Record<string, unknown>> }

/** One page in a browser of its own with these preferences; both are gone when `use` is over. */
export async function withPreferences(
  preferences: Preferences,
  use: (page: Page) => Promise<void>,
  args: readonly string[] = [],
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'kennel-profile-'))
  let context: BrowserContext | undefined
  try {
    mkdirSync(join(folder, 'Default'))
    writeFileSync(join(folder, 'Default', 'Preferences'), JSON.stringify(preferences))
    const executablePath = chromiumPath()
    if (executablePath === undefined) throw new Error('no Chromium')
    context = await chromium.launchPersistentContext(folder, {
      executablePath,
      args: ['--no-sandbox', ...args],
      ignoreHTTPSErrors: true,
    })
    await use(await context.newPage())
  } finally {
    await context?.close()
    rmSync(folder, { recursive: true, force: true })
  }
}
