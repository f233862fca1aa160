import { expect } from 'chai'
import {
  chromium,
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  type Page,
  type CDPSession,
} from 'playwright-core'
import { describeWith, toolPath } from '../support/required-tools.js'
import { readFileSync, statSync, writeFileSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { PROJECT } from '../support/project.js'
import { makeTemporaryFolder } from '../support/temporary-folder.js'

/** Switches that keep Chromium from contacting any host on its own. */
const QUIET = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/** The time limit for each step on a page, long enough for a busy machine. */
const TIMEOUT = 120_000
/** The beginning of Chromium's own console message about a reply with a status of 400 or above. */
const FAILED_REPLY = 'Failed to load resource: the server responded with a status of'

export type Visit = BrowserContextOptions & {
  /** The origins that the page may contact, such as `http://127.0.0.1:3000`. */
  readonly origins: readonly string[]
}

/** One visitor with a separate cookie jar, and a record of what a well-behaved page should never do. */
export type Visitor = {
  readonly context: BrowserContext
  readonly page: Page
  /** Console errors and uncaught errors, including violations of the content security policy. */
  readonly errors: string[]
  /**
   * The browser's own console messages about replies with a status of 400 or above; a test that causes such replies expects the messages.
   */
  readonly failedReplies: string[]
  /** The requested URLs in order, including those of pages that are opened later. */
  readonly requests: string[]
  /** The requested addresses whose origin is not allowed. */
  readonly foreign: string[]
  /** Opens another watched tab for the same visitor. */
  readonly tab: () => Promise<Page>
  /** Fails if the tab has logged an error, received a failed reply, or sent a request to another origin. */
  readonly expectQuiet: () => void
}

/** Opens a browser context for each visitor, and closes it at the end of the test. */
export type Chromium = { visit(visit: Visit): Promise<Visitor> }

/**
 * A `describe` whose tests share one Chromium; it is skipped without Chromium: see required-tools.ts. The browser gets
 * `args` after the usual arguments.
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

/** `data:` and `blob:` come from the page itself; any other address must have an allowed origin. */
function isAllowed(address: string, origins: readonly string[]): boolean {
  const { protocol, origin } = new URL(address)
  return protocol === 'data:' || protocol === 'blob:' || origins.includes(origin)
}

/** A picture in the handbook; tests with PICTURES=1 create the file. */
export type Picture = {
  /** The page that shows the picture, as a path in the project. */
  readonly shownIn: string
  /** The name of the image file, which is in the same folder as the page. */
  readonly name: string
  readonly size: { readonly width: number; readonly height: number }
  /** The maximum file size in bytes, which keeps the package small. */
  readonly limit: number
}

/**
 * Expects that the alternative text of the picture equals the result of the expression `inWords` in the current page. Also checks the
 * dimensions and the file size of the picture.
 */
export async function expectCurrent(picture: Picture, page: Page, inWords: string): Promise<void> {
  const { shownIn, name, size, limit } = picture
  const words = await page.evaluate<string>(inWords)
  const shown = new RegExp(`!\\[([^\\]]*)\\]\\(${name.replace('.', '\\.')}\\)`)
  const handbook = join(PROJECT, shownIn)
  const text = readFileSync(handbook, 'utf8')
  if (process.env['PICTURES']) {
    writeFileSync(pathOf(picture), await page.screenshot({ animations: 'disabled', caret: 'hide' }))
    writeFileSync(
      handbook,
      text.replace(shown, () => `![${words}](${name})`),
    )
  }
  expect(shown.exec(readFileSync(handbook, 'utf8'))?.[1]).to.equal(words)
  const header = readFileSync(pathOf(picture)).subarray(16, 24)
  expect({ width: header.readUInt32BE(0), height: header.readUInt32BE(4) }).to.deep.equal(size)
  expect(statSync(pathOf(picture)).size).to.be.below(limit)
}

const pathOf = ({ shownIn, name }: Picture) => join(PROJECT, shownIn, '..', name)

/** Browser settings of a user, in Chromium's own format. */
type Preferences = { readonly profile: Readonly<Record<string, unknown>> }

/** Calls `use` with a page in a separate browser that has these preferences; then closes the browser and deletes its profile. */
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

export const PHONE = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true }
/** Makes the browser suggest no passkeys, so that a test must press the button. */
export const NO_AUTOFILL = 'PublicKeyCredential.isConditionalMediationAvailable = async () => false'

/** A virtual authenticator that uses passkeys without asking the user. */
type Authenticator = {
  readonly id: string
  readonly cdp: CDPSession
}

export async function authenticatorOf(page: Page): Promise<Authenticator> {
  const cdp = await page.context().newCDPSession(page)
  await cdp.send('WebAuthn.enable')
  const { authenticatorId: id } = await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      ...{ protocol: 'ctap2', transport: 'internal', automaticPresenceSimulation: true },
      ...{ hasResidentKey: true, hasUserVerification: true, isUserVerified: true },
    },
  })
  return { id, cdp }
}
