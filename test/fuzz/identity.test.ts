import { expect } from 'chai'
import { OPERATOR } from '../../src/domain/access/caller.js'
import { LOGIN as EXAMPLE } from '../../src/http/description/examples.js'
import { createBrowser, LOGIN } from '../support/http/browser.js'
import { servicesOfTests, type TestOptions, type TestService } from '../support/http/service.js'
import { closedIn, EMAIL, expectNothingFound, OPEN, fuzz } from './schemathesis.js'
import { describeWith } from '../support/required-tools.js'
import { rotating } from '../support/rotation.js'

const ELSEWHERE = /^\/(?!v1\/)/
/** Excludes the operations that would make the fuzzer anonymous: logins, logouts, and ending sessions. */
const LOGGED_IN = /^\/(?!v1\/|api\/auth\/(?:log|sessions\/end))/
type Mode = NonNullable<TestOptions['mode']>

const END_SESSIONS_ALONE = /^\/api\/auth\/sessions\/end$/

async function bearerOf(service: TestService): Promise<{ cookie?: string | undefined; token: string }> {
  await service.account(EMAIL, ['project-editor'])
  const browser = createBrowser(service, EMAIL)
  const { status, text } = await browser.login()
  if (status !== 200) throw new Error(text)
  const { cookie, accessToken = '' } = browser.held()
  return { cookie: cookie?.split('=')[1], token: `Bearer ${accessToken}` }
}

describeWith('schemathesis', 'a fuzzer that has read the description of identity', () => {
  const serve = servicesOfTests()

  /** Fuzzes these paths with the credentials of a login; returns the operations that accepted no request. */
  async function fuzzLoggedIn(mode: Mode, paths: RegExp, { least = 100, examples = 25 } = {}) {
    const service = await serve({ mode, permissions: OPEN, passkeys: true })
    const { cookie, token } = await bearerOf(service)
    const credentials = {
      BearerAuth: { api_key: token },
      ...(cookie !== undefined && { SessionCookie: { api_key: cookie } }),
    }
    const outcome = await fuzz({ origin: service.origin, examples, credentials, paths })
    expectNothingFound(outcome, least)
    return closedIn(outcome)
  }

  /** Expects that the credentials remain valid during the whole run. */
  async function expectAccepted(): Promise<void> {
    const closed = await fuzzLoggedIn('stateful', LOGGED_IN)
    expect(closed.filter((one) => /\/api\/(?:project|auth\/get-identity)/.test(one))).to.deep.equal([])
  }

  const CASES: Readonly<Record<string, () => Promise<void>>> = {
    'with a login': expectAccepted,
    'on the routes that end sessions, without a known session ID': async () => {
      expect(await fuzzLoggedIn('stateful', END_SESSIONS_ALONE, { least: 20 })).to.deep.equal([])
    },
    'with a bearer token in any identity operation, including logins and logouts': async () => {
      // Without revocations, a logout does not invalidate the token, so the fuzzer stays authenticated.
      await fuzzLoggedIn('stateless', /^\/api\//, { examples: 12 })
    },
    'on other routes without credentials, and with the login of the example': async () => {
      const service = await serve()
      await service.useCases.createUser({ caller: OPERATOR, ...EXAMPLE })
      const outcome = await fuzz({ origin: service.origin, examples: 12, paths: ELSEWHERE })
      expectNothingFound(outcome, 200)
      expect(outcome.report).to.not.include(`- POST ${LOGIN}\n`)
    },
  }
  for (const [how, call] of rotating(Object.entries(CASES), 2)) it(`finds no violation ${how}`, call)
})
