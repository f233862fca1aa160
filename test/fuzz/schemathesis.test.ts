import { expect } from 'chai'
import { OPERATOR } from '../../src/domain/access/caller.js'
import { DEFAULT_PERMISSIONS } from '../../src/domain/access/permissions.js'
import { createBrowser, LOGIN } from '../support/http/browser.js'
import { servicesOfTests } from '../support/http/services.js'
import { watching } from '../support/watched-store.js'
import { PASSWORD, type TestOptions, type TestService } from '../support/http/service.js'
import { fuzz, type Outcome } from './schemathesis.js'
import { describeWith } from '../support/required-tools.js'

const EMAIL = 'ada@example.com'
const PETS = /^\/v1\//
const ELSEWHERE = /^\/(?!v1\/)/
/** A fuzzer that logs out, or in again, or ends the session that it was shown, would be anonymous from then on. */
const LOGGED_IN = /^\/(?!v1\/|api\/auth\/(?:log|sessions\/end))/
const END_SESSIONS_ALONE = /^\/api\/auth\/sessions\/end$/

const { everyone, user } = DEFAULT_PERMISSIONS.roles
/** What is permitted to no one by itself is sent too. */
const OPEN = {
  roles: {
    ...DEFAULT_PERMISSIONS.roles,
    everyone: { ...everyone, components: { auth: ['*'], user: ['find'] } },
    user: { ...user, components: { pets: ['*'] } },
    'project-editor': { components: { project: ['*'] } },
  },
}
const STATELESS: TestOptions = { mode: 'stateless-revocable' }

function expectNothingFound({ status, report, requests }: Outcome, least: number): void {
  expect(status, report).to.equal(0)
  expect(requests, report).to.be.greaterThan(least)
}

/** The operations that have let the fuzzer in not once, as it says. */
function closedIn({ report }: Outcome): readonly string[] {
  const [, listed = ''] = /Authentication failed:([^💡]*)/u.exec(report) ?? []
  return [...listed.matchAll(/^ {2}- (.+)$/gm)].map(([, operation = '']) => operation)
}

async function bearerOf(service: TestService): Promise<{ cookie?: string | undefined; token: string }> {
  await service.account(EMAIL, ['project-editor'])
  const browser = createBrowser(service, EMAIL)
  const { status, text } = await browser.login()
  if (status !== 200) throw new Error(text)
  const { cookie, accessToken = '' } = browser.held()
  return { cookie: cookie?.split('=')[1], token: `Bearer ${accessToken}` }
}

describeWith('schemathesis', 'a fuzzer that has read the API description', () => {
  const serve = servicesOfTests()

  it('finds nothing with a login', async () => {
    const service = await serve({ permissions: OPEN, mode: 'stateful' })
    const { cookie = '', token } = await bearerOf(service)
    const credentials = { BearerAuth: { api_key: token }, SessionCookie: { api_key: cookie } }
    const outcome = await fuzz({ origin: service.origin, examples: 25, credentials, paths: LOGGED_IN })
    expectNothingFound(outcome, 100)
    // It was let in, and is in still.
    expect(
      closedIn(outcome).filter((one) => /\/api\/(?:project|auth\/get-identity)/.test(one)),
    ).to.deep.equal([])
  })

  it('finds nothing where it ends sessions, of which it knows no id', async () => {
    const service = await serve({ permissions: OPEN, mode: 'stateful' })
    const { cookie = '', token } = await bearerOf(service)
    const credentials = { BearerAuth: { api_key: token }, SessionCookie: { api_key: cookie } }
    const outcome = await fuzz({
      ...{ origin: service.origin, examples: 25, credentials, paths: END_SESSIONS_ALONE },
    })
    expectNothingFound(outcome, 20)
    expect(closedIn(outcome)).to.deep.equal([])
  })

  it('finds nothing in stateless mode with a bearer token', async () => {
    const service = await serve({ ...STATELESS, permissions: OPEN })
    const { token } = await bearerOf(service)
    const credentials = { BearerAuth: { api_key: token } }
    const outcome = await fuzz({ origin: service.origin, examples: 25, credentials, paths: LOGGED_IN })
    expectNothingFound(outcome, 100)
    expect(
      closedIn(outcome).filter((one) => /\/api\/(?:project|auth\/get-identity)/.test(one)),
    ).to.deep.equal([])
  })

  it('finds nothing with a bearer token in any operation of identity, logins and logouts among them', async () => {
    // Without revocations no logout voids the token, so the fuzzer stays who it is.
    const service = await serve({ permissions: OPEN, mode: 'stateless' })
    const { token } = await bearerOf(service)
    const credentials = { BearerAuth: { api_key: token } }
    const outcome = await fuzz({ origin: service.origin, examples: 12, credentials, paths: /^\/api\// })
    expectNothingFound(outcome, 100)
  })

  it('finds nothing in the catalogue with HTTP Basic alone', async () => {
    const service = await serve({ permissions: OPEN })
    await service.account(EMAIL)
    const credentials = { BasicAuth: { username: EMAIL, password: PASSWORD } }
    const outcome = await fuzz({ origin: service.origin, examples: 12, credentials, paths: PETS })
    expectNothingFound(outcome, 100)
    expect(closedIn(outcome)).to.deep.equal([])
  })

  for (const petSecurity of ['any', 'all'] as const) {
    it(`finds nothing in the catalogue, where ${petSecurity} of the credentials will do`, async () => {
      const service = await serve({ petSecurity, permissions: OPEN })
      await service.account(EMAIL)
      const credentials = {
        ApiKeyAuth: { api_key: await service.apiKey() },
        ...(petSecurity === 'all' && { BasicAuth: { username: EMAIL, password: PASSWORD } }),
      }
      const outcome = await fuzz({ origin: service.origin, examples: 25, credentials, paths: PETS })
      expectNothingFound(outcome, 200)
      // Most deletions are of pets that are not there, or have headers that were made up: those alone say nothing.
      expect(closedIn(outcome).filter((one) => !one.startsWith('DELETE'))).to.deep.equal([])
    })
  }

  it('finds nothing in the catalogue without credentials', async () => {
    const service = await serve()
    const outcome = await fuzz({ origin: service.origin, examples: 10, paths: PETS })
    expectNothingFound(outcome, 100)
  })

  it('finds nothing elsewhere without credentials, and with the login of the example', async () => {
    const service = await serve()
    const password = 'a long password'
    await service.useCases.createUser({ caller: OPERATOR, email: EMAIL, password })
    const outcome = await fuzz({ origin: service.origin, examples: 12, paths: ELSEWHERE })
    expectNothingFound(outcome, 200)
    expect(outcome.report).to.not.include(`- POST ${LOGIN}\n`)
  })

  it('would find a fault of ours', async () => {
    const aroundStore = watching(async (name, run) => {
      if (name === 'pets.page') throw new Error('broken on purpose')
      return await run()
    })
    const service = await serve({ aroundStore })
    const credentials = { ApiKeyAuth: { api_key: await service.apiKey() } }
    const outcome = await fuzz({ origin: service.origin, examples: 2, credentials, paths: /^\/v1\/pets$/ })
    expect(outcome.status).to.equal(1)
    expect(outcome.report).to.include('Server error')
  })
})
