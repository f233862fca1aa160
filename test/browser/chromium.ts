import { expect } from 'chai'
import {
  chromium,
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  type Page,
} from 'playwright-core'
import { describeWith, toolPath } from '../support/required-tools.js'

/** What keeps it quiet: nothing here may ask a host of the browser's own choice. */
const QUIET = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/** As long as anything on a page may take on a busy machine. */
const TIMEOUT = 120_000
/** How Chromium begins its own line about every reply of 400 and above. */
const FAILED_REPLY = 'Failed to load resource: the server responded with a status of'

export type Visit = BrowserContextOptions & {
  /** The origins that the page may ask, such as `http://127.0.0.1:3000`. */
  readonly origins: readonly string[]
}

/** One visitor with cookies of its own, of whom everything is written down that a good page never does. */
export type Visitor = {
  readonly context: BrowserContext
  readonly page: Page
  /** Errors of the console and uncaught ones; violations of the content security policy are among them. */
  readonly errors: string[]
  /** The browser's own console lines about replies of 400 and above: a test that provokes them expects them. */
  readonly failedReplies: string[]
  /** Addresses that were asked, in order, of pages opened later too. */
  readonly requests: string[]
  /** Those of them at other origins than the allowed ones. */
  readonly foreign: string[]
  /** Another tab of the same visitor, watched too. */
  readonly tab: () => Promise<Page>
  /** Fails where there was an error, a failed reply or a foreign request. */
  readonly expectQuiet: () => void
}

/** Opens visitors; they leave at the end of each test. */
export type Chromium = { visit(visit: Visit): Promise<Visitor> }

/**
 * A `describe` with one Chromium for all of its tests, where there is one: see required-tools.ts. `args` go to the
 * browser, after the usual ones.
 */
export function describeInChromium(
  title: string,
  body: (this: Mocha.Suite, chromium: Chromium) => void,
  args: readonly string[] = [],
): void {
  describeWith('chromium', title, function () {
    body.call(this, startedForSuite(args))
  })
}

function startedForSuite(args: readonly string[]): Chromium {
  const contexts: BrowserContext[] = []
  let browser: Browser
  before(async () => {
    browser = await chromium.launch({ executablePath: toolPath('chromium'), args: [...QUIET, ...args] })
  })
  afterEach(async () => {
    await Promise.all(contexts.splice(0).map((context) => context.close()))
  })
  after(() => browser.close())
  return {
    visit: async ({ origins, ...options }) => {
      const context = await browser.newContext(options)
      contexts.push(context)
      context.setDefaultTimeout(TIMEOUT)
      return await watch(context, origins)
    },
  }
}

async function watch(context: BrowserContext, origins: readonly string[]): Promise<Visitor> {
  const errors: string[] = []
  const failedReplies: string[] = []
  const requests: string[] = []
  const foreign: string[] = []
  const note = (address: string) => {
    requests.push(address)
    if (!isAllowed(address, origins)) foreign.push(address)
  }
  context.on('request', (request) => {
    note(request.url())
  })
  context.on('page', (page) => {
    page.on('websocket', (socket) => {
      note(socket.url())
    })
  })
  context.on('console', (message) => {
    if (message.type() !== 'error') return
    if (message.text().startsWith(FAILED_REPLY)) failedReplies.push(message.location().url)
    else errors.push(message.text())
  })
  context.on('weberror', (error) => errors.push(error.error().message))
  const expectQuiet = () => {
    expect({ errors, failedReplies, foreign }).to.deep.equal({ errors: [], failedReplies: [], foreign: [] })
  }
  const tab = () => context.newPage()
  return { context, page: await tab(), errors, failedReplies, requests, foreign, tab, expectQuiet }
}

/** `data:` and `blob:` come from the page itself; whatever else is not allowed is foreign. */
function isAllowed(address: string, origins: readonly string[]): boolean {
  const { protocol, origin } = new URL(address)
  return protocol === 'data:' || protocol === 'blob:' || origins.includes(origin)
}
