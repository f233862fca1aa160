import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Page, BrowserContextOptions } from 'playwright-core'
import { PROJECT } from '../support/project.js'
import { installBuilt } from '../support/built-package.js'
import { makeTemporaryFolder } from '../support/temporary-folder.js'
import type { AccountId } from '../../src/domain/identity/account.js'
import { PASSWORD, type TestOptions, type TestService, servicesOfTests } from '../support/http/service.js'
import { reservedPort } from '../support/reserved-port.js'
import type { Chromium, Visitor } from './chromium.js'

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

export const EMAIL = 'ada@example.com'

/** The real service, and the example on a different port of the same host, which is a different origin on the same site. */
export type ExampleService = Pick<TestService, 'origin' | 'clock'> & {
  /** The origin of the example page. */
  readonly pageOrigin: string
  /** Creates an account with PASSWORD and these roles; returns its ID. */
  readonly account: (email: string, roles?: readonly string[]) => Promise<number>
  /** Returns the number of active sessions of an account. */
  readonly sessionsOf: (account: number) => Promise<number>
  readonly endSessionsOf: (account: number) => Promise<number | undefined>
  /** Stops the service before the end of the test. */
  readonly leave: () => Promise<void>
}

export type ExampleOptions = TestOptions & {
  /** Whether `CORS_ORIGINS` lists the origin of the page; true by default. */
  readonly listed?: boolean
  /** The host name under which the page is opened. */
  readonly pageHost?: string
}

/** Starts a service and a page for a test, and closes them after the test. Must be called in a `describe`. */
export function exampleServicesOfTests(): (options?: ExampleOptions) => Promise<ExampleService> {
  const serve = servicesOfTests()
  const pages: ServedExample[] = []
  afterEach(async () => {
    for (const page of pages.splice(0)) await page.close()
  })
  return async ({ listed = true, pageHost = '127.0.0.1', ...options } = {}) => {
    // Reserves the port first, because the page and the service each need the other's address before they start.
    const port = await reservedPort()
    const pageOrigin = `http://${pageHost}:${port}`
    const corsOrigins = ['https://another.example', ...(listed ? [pageOrigin] : [])]
    const service = await serve({ ...options, settings: { ...options.settings, corsOrigins } })
    pages.push(await serveExample(service.origin, port))
    const { origin, clock, store } = service
    return {
      origin,
      clock,
      pageOrigin,
      account: (email, roles) => service.account(email, roles),
      sessionsOf: async (account) => {
        const page = { accountId: account as AccountId, limit: 100, at: clock.now }
        return (await store.sessions.pageOf(page)).length
      },
      endSessionsOf: (account) => store.sessions.endAllOf(account as AccountId),
      leave: () => service.close(),
    }
  }
}

/** An example with the account of EMAIL, and a visitor who has opened the page. */
export type VisitedExample = ExampleService & {
  /** The account ID. */
  readonly ada: number
  readonly visitor: Visitor
  readonly tab: ExampleTab
  /** Opens the page in a different browser. */
  readonly elsewhere: () => Promise<ExampleTab>
}

/** Starts examples for tests and visits them with these browser options. Must be called in a `describe`. */
export function visitsOfExample(
  chromium: Chromium,
  browser: BrowserContextOptions = {},
): (options?: ExampleOptions & { readonly roles?: readonly string[] }) => Promise<VisitedExample> {
  const serve = exampleServicesOfTests()
  return async ({ roles, ...options } = {}) => {
    const service = await serve(options)
    const origins = [service.origin, service.pageOrigin]
    const ada = await service.account(EMAIL, roles)
    const visitor = await chromium.visit({ origins, ...browser })
    const tab = await openExample(visitor.page, service.pageOrigin)
    const elsewhere = async () =>
      await openExample((await chromium.visit({ origins })).page, service.pageOrigin)
    return { ...service, ada, visitor, tab, elsewhere }
  }
}

/** Logs in with the page's login form. */
export async function logIn(tab: ExampleTab): Promise<void> {
  await tab.logIn(EMAIL, PASSWORD)
  await tab.said('Logged in.')
}
