import type { BrowserContextOptions } from 'playwright-core'
import type { AccountId } from '../../src/domain/identity/account.js'
import { PASSWORD, type TestOptions, type TestService } from '../support/http/service.js'
import { servicesOfTests } from '../support/http/services.js'
import { reservedPort } from '../support/reserved-port.js'
import type { Chromium, Visitor } from './chromium.js'
import { openExample, serveExample, type ExampleTab, type ServedExample } from './example-page.js'

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

/** Starts examples for tests and visits them with these options of the browser. Must be called in a `describe`. */
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

/** Logs in with the form of the page. */
export async function logIn(tab: ExampleTab): Promise<void> {
  await tab.logIn(EMAIL, PASSWORD)
  await tab.said('Logged in.')
}
