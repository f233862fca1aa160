import { expect } from 'chai'
import type { PermissionRules } from '../../src/domain/access/permission-rules.js'
import { ACTIONS } from '../../src/domain/access/components.js'
import type { Endpoint } from '../../src/http/endpoint.js'
import { ENDPOINTS } from '../../src/http/endpoints.js'
import { proofs } from '../../src/http/endpoints/proofs.js'
import { newcomer, type Browser } from '../support/http/browser.js'
import { startResetting } from '../support/http/resetting.js'
import type { TestService } from '../support/http/service.js'

/** A request with all required members, in which one member or parameter is malformed. */
type Malformed = { readonly method: string; readonly path: string; readonly json?: object }

const WRONG = { wrong: [] }

/** Requests with one wrong member each, then with all members wrong, and then with wrong queries. */
function malformedRequests({ method, path, body }: Endpoint): readonly Malformed[] {
  const at = path.replace(/:\w+/, '1')
  if (!body) return ['?limit=none', '?cursor=none'].map((query) => ({ method, path: at + query }))
  const { example } = body.content['application/json'] ?? {}
  const members = Object.keys(example ?? {})
  const one = members.map((name) => ({ ...example, [name]: WRONG }))
  const all = Object.fromEntries(members.map((name) => [name, WRONG]))
  return [...one, all].map((json) => ({ method, path: at, json }))
}

/**
 * Endpoints that check the form of members or parameters. The routes of email proofs do not exist without the
 * permission. The caller of a refresh is known only after the members of the request have been read.
 */
const FORMED = ENDPOINTS.filter(
  ({ operation, body, path }) =>
    operation !== undefined &&
    !proofs.some((one) => one.path === path) &&
    !['refresh', 'logout', 'logoutAs'].includes(operation) &&
    (body !== undefined || ['/v1/pets', '/api/project', '/api/admin/users'].includes(path)),
)

const everything = Object.fromEntries(Object.keys(ACTIONS).map((component) => [component, ['*']]))

const cli = { components: everything }
const PERMITTED: PermissionRules = { roles: { cli, everyone: cli } }

/** Callers may only log in, but every endpoint is enabled. */
const LOGIN_ALONE = { components: { auth: ['login', 'get-identity'], user: ['find'] } }
const FORBIDDEN: PermissionRules = { roles: { everyone: LOGIN_ALONE, cli } }

/** No caller may log in. */
const CLOSED: PermissionRules = { roles: { cli } }

describe('a malformed request', () => {
  const services: TestService[] = []
  let callers: Readonly<Record<'permitted' | 'forbidden', Browser>>
  let closed: TestService

  async function start(permissions: PermissionRules): Promise<TestService> {
    const { service } = await startResetting({
      permissions,
      ...{ mode: 'stateful', passkeys: true },
      settings: { administration: 'on' },
    })
    services.push(service)
    return service
  }

  before(async () => {
    const permitted = await newcomer(await start(PERMITTED))
    callers = { permitted, forbidden: await newcomer(await start(FORBIDDEN)) }
    closed = await start(CLOSED)
  })
  after(() => Promise.all(services.map((service) => service.close())))

  /** Sends the request as a logged-in caller, with an API key on pet routes; returns the status. */
  async function statusOf(who: keyof typeof callers, { method, path, json }: Malformed): Promise<number> {
    const service = services[who === 'permitted' ? 0 : 1]
    const headers = path.startsWith('/v1') ? { 'X-API-Key': (await service?.apiKey()) ?? '' } : {}
    return (await callers[who].send(method, path, { ...(json && { json }), headers })).status
  }

  for (const endpoint of FORMED) {
    const { method, path, operation } = endpoint
    const isLogin = operation === 'login' || operation === 'loginWithPasskey'
    const isAnonymous = isLogin || operation === 'requestPasswordReset'
    // These routes exist only if some role has the permission.
    const isAbsent = proofs.includes(endpoint)
    const unpermitted = isAbsent ? 404 : isAnonymous ? 401 : 403
    it(`gets ${unpermitted} from ${method} ${path} without the permission, and 400 or 422 with it`, async () => {
      for (const request of malformedRequests(endpoint)) {
        expect([400, 422], JSON.stringify(request)).to.include(await statusOf('permitted', request))
        const forbidden = isLogin
          ? (await closed.client.call(method, path, { json: request.json })).status
          : await statusOf('forbidden', request)
        expect([forbidden, request]).to.deep.equal([unpermitted, request])
      }
    })

    if (!isAnonymous && !isAbsent)
      it(`gets 401 from ${method} ${path} without credentials`, async () => {
        for (const { json, ...request } of malformedRequests(endpoint)) {
          const { status } = await closed.client.call(request.method, request.path, { ...(json && { json }) })
          expect(status).to.equal(401)
        }
      })
  }
})
