import { expect } from 'chai'
import type { PermissionRules } from '../../../src/domain/access/permissions.js'
import { ACTIONS } from '../../../src/domain/access/components.js'
import { expectAlive, impersonation, LOGIN_AS, LOGOUT_AS } from '../../support/http/acting.js'
import { createBrowser, credentials, newcomer, PROJECTS, setCookies } from '../../support/http/browser.js'
import type { Reply } from '../../support/http/client.js'
import { loggedOut } from '../../support/http/expected.js'
import {
  EVERY_PROTECTED_ROUTE,
  expectInvalidTokenAt,
  PROTECTED_BODIES,
  PROTECTED_ROUTES,
  refusedAt,
  sendTo,
} from '../../support/http/protected-routes.js'
import { startService, type TestService } from '../../support/http/service.js'
import { servicesOfTests } from '../../support/http/services.js'

const NOT_PERMITTED = { message: 'This action is not granted to you.', field: '', type: 'Forbidden' }
const WHILE_ACTING = loggedOut(403, {
  message: 'This is not possible while you act as somebody else.',
  field: '',
  type: 'Forbidden',
})

/** Without LOGOUT_AS: it refuses a caller that does not act as another account, even if everything is permitted. */
const JUDGED = PROTECTED_ROUTES.filter(({ path }) => path !== LOGOUT_AS)
const JUDGED_ACTIONS = new Set(JUDGED.map(({ action }) => action))

/** The actions that a logged-in user gets in addition to the actions of everyone. */
function permitting(auth: readonly string[], project: readonly string[]): PermissionRules {
  const everyone = { auth: ['login', 'get-identity', 'refresh', 'logout'], user: ['find'] }
  const cli = { 'user-task': ['*'], user: ['*'], role: ['*'] }
  return {
    roles: {
      everyone: { components: everyone },
      user: { components: { auth, project } },
      cli: { components: cli },
    },
  }
}

const named = ({ method, path }: { method: string; path: string }) => `${method} ${path}`
const isRefused = (path: string, { json }: Reply) =>
  JSON.stringify(json) === JSON.stringify(refusedAt(path, 403, NOT_PERMITTED))

describe('the protected routes', () => {
  const serve = servicesOfTests()

  for (const action of JUDGED_ACTIONS) {
    it(`are open to a caller with ${action} alone only if they need that action`, async () => {
      const [component = '', one = ''] = action.split(':')
      const of = (name: string) => (name === component ? [one] : [])
      const service = await serve({ permissions: permitting(of('auth'), of('project')) })
      const browser = await newcomer(service)
      for (const route of JUDGED) {
        const reply = await sendTo(route, browser)
        const opened = route.action === action
        expect(isRefused(route.path, reply), named(route)).to.equal(!opened)
        if (opened) expect(reply.status, named(route)).to.be.below(500).and.not.equal(401)
        expect(setCookies(reply), named(route)).to.deep.equal([])
      }
      await expectAlive(service, browser.held())
    })
  }

  it('of the own account are closed during impersonation, even if everything is permitted', async () => {
    const permissions: PermissionRules = {
      roles: {
        ...permitting(
          ACTIONS.auth.filter((one) => !one.startsWith('log')),
          ['*'],
        ).roles,
        admin: { components: { auth: ['*'] } },
      },
    }
    const service = await serve({ permissions: { roles: { ...permissions.roles } } })
    const { browser, target } = await impersonation(service)
    for (const route of PROTECTED_ROUTES.filter(({ path }) => ![LOGIN_AS, LOGOUT_AS].includes(path))) {
      const reply = await sendTo(route, browser)
      if (route.path.startsWith(PROJECTS)) expect(reply.status, named(route)).to.be.oneOf([200, 201, 404])
      else expect([reply.status, reply.json], named(route)).to.deep.equal([403, WHILE_ACTING])
      expect(setCookies(reply), named(route)).to.deep.equal([])
    }
    for (const one of [browser, target]) await expectAlive(service, one.held())
  })

  for (const mode of ['stateless', 'stateless-revocable'] as const) {
    it(`need only the token without sessions, and session routes do not exist: ${mode}`, async () => {
      const service = await serve({ mode, permissions: permitting(['*'], ['*']) })
      const browser = await newcomer(service)
      for (const route of EVERY_PROTECTED_ROUTE) {
        const { method, path, json } = route
        const call = json === undefined ? {} : { json }
        const reply = await sendTo(route, browser)
        if (route.ofSessions) expect(reply.status, named(route)).to.equal(404)
        else expect(reply.status, named(route)).to.be.below(500).and.not.be.oneOf([401, 405])
        expect(setCookies(reply), named(route)).to.deep.equal([])
        if (route.ofSessions) continue
        expectInvalidTokenAt(path, await service.client.call(method, path, call))
        const headers = { 'X-Authorization': 'Bearer forged', Cookie: 'sid=x' }
        expectInvalidTokenAt(path, await service.client.call(method, path, { ...call, headers }))
      }
    })
  }
})

describe('a body of a protected route', () => {
  let service: TestService
  before(async () => {
    service = await startService({ permissions: permitting(['*'], ['*']) })
  })
  after(() => service.close())

  for (const route of PROTECTED_BODIES) {
    it(`may have unknown members, which have no effect: ${named(route)}`, async () => {
      const [browser, other] = [await newcomer(service), await newcomer(service)]
      const plain = await sendTo(route, browser)
      const others = { accountId: other.id, user: other.id, email: other.email, createdBy: other.id }
      const odd = { ...others, roles: ['admin'], constructor: { prototype: { admin: true } } }
      const body = `{"__proto__":{"admin":true},${JSON.stringify({ ...odd, ...route.json }).slice(1)}`
      const headers = { 'Content-Type': 'application/json' }
      const reply = await browser.send('POST', route.path, { headers, body })
      expect(plain.status).to.be.below(500)
      // Each created project has another ID.
      const shown = ({ status, text }: Reply) => [status, text.replace(/"id":\d+/, '"id":0')]
      expect(shown(reply)).to.deep.equal(shown(plain))
      expect(({} as { admin?: unknown }).admin).to.equal(undefined)
      for (const one of [browser, other]) await expectAlive(service, one.held())
      expect((await createBrowser(service, other.email).login()).status).to.equal(200)
    })

    it(`must contain its members; the query or a header cannot supply them: ${named(route)}`, async () => {
      const browser = await newcomer(service)
      const query = new URLSearchParams(route.json as Record<string, string>)
      const inQuery = await browser.send('POST', `${route.path}?${query.toString()}`, { json: {} })
      const plain = await browser.send('POST', route.path, { json: {} })
      expect([inQuery.status, inQuery.json]).to.deep.equal([plain.status, plain.json])
      expect(inQuery.status).to.be.oneOf([400, 422])
    })
  }

  it('is read only from an authenticated caller, and cannot authenticate the caller', async () => {
    const browser = await newcomer(service)
    const { cookie, accessToken = '' } = browser.held()
    for (const { path, json } of PROTECTED_BODIES) {
      const smuggled = { ...json, jwt: accessToken, 'X-Authorization': `Bearer ${accessToken}` }
      const headers = credentials({ cookie })
      expectInvalidTokenAt(path, await service.client.call('POST', path, { headers, json: smuggled }))
    }
    await expectAlive(service, browser.held())
  })
})
