import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Page } from 'playwright-core'
import { PROJECT } from '../support/project.js'
import { installBuilt } from '../support/built-package.js'
import { makeTemporaryFolder } from '../support/temporary-folder.js'

/** The example in a separate folder, served on a free port, with a client that was built from these sources. */
export type ServedExample = {
  readonly origin: string
  close(): Promise<void>
}

/** Serves a page that uses the service at this address, on a free port by default. */
export async function serveExample(serviceUrl: string, port = 0): Promise<ServedExample> {
  const { path: folder, remove } = makeTemporaryFolder()
  cpSync(join(PROJECT, 'examples', 'browser'), folder, { recursive: true })
  installBuilt(folder, { './account': 'client/account', './client': 'client/index' })
  const env = { PATH: process.env['PATH'] ?? '', KENNEL_URL: serviceUrl, PORT: String(port) }
  const child = spawn(process.execPath, [join(folder, 'server.js')], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(child, 'close')
  const close = async () => {
    child.kill('SIGKILL')
    await ended
    remove()
  }
  const failed = ended.then(() => undefined)
  const line = await Promise.race([once(createInterface({ input: child.stdout }), 'line'), failed])
  if (line) return { origin: String(line[0]), close }
  await close()
  throw new Error('the example has ended before it served')
}

type Button = 'Who am I?' | 'Refresh' | 'Log out'

/** A tab that shows the example, with functions that act like a visitor. */
export type ExampleTab = {
  readonly page: Page
  /** Fills in the form and submits it. */
  logIn(email: string, password: string): Promise<void>
  press(button: Button): Promise<void>
  /** Fills in the form and submits it in a background tab, which Chromium redraws so rarely that a click would take a second. */
  pressBehind(button: Button): Promise<void>
  /** Resolves with the first sentence on the page that begins with this text. */
  said(beginning: string): Promise<string>
  /** Resolves when the account of this user is shown. */
  shows(email: string): Promise<void>
  /** The email of the shown account; `undefined` if the login form is shown. */
  shown(): Promise<string | undefined>
}

export async function openExample(page: Page, origin: string): Promise<ExampleTab> {
  await page.goto(`${origin}/`)
  const notice = page.getByRole('status')
  const email = page.locator('#email')
  const form = page.getByRole('form', { name: 'Log in' })
  return {
    page,
    logIn: async (who, password) => {
      await form.getByLabel('Email').fill(who)
      await form.getByLabel('Password').fill(password)
      await form.getByRole('button').click()
    },
    press: (name) => page.getByRole('button', { name, exact: true }).click(),
    pressBehind: (name) => page.getByRole('button', { name, exact: true }).dispatchEvent('click'),
    said: async (beginning) => {
      await notice.filter({ hasText: beginningWith(beginning) }).waitFor()
      return (await notice.textContent()) ?? ''
    },
    shows: (who) => email.filter({ hasText: who }).waitFor(),
    shown: async () => {
      if (await form.isVisible()) return undefined
      return (await email.textContent()) ?? ''
    },
  }
}

function beginningWith(text: string): RegExp {
  return new RegExp(`^${text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}`)
}
