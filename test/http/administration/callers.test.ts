import { expect } from 'chai'
import { addPasskeys } from '../../../src/contracts/arrangements.js'
import type { AccountId } from '../../../src/domain/identity/account.js'
import { OPERATOR } from '../../../src/domain/access/caller.js'
import { ACTIONS } from '../../../src/domain/access/components.js'
import type { ActionRule } from '../../../src/domain/access/permission-rules.js'
import { isForOperators } from '../../../src/http/administration.js'
import { ENDPOINTS } from '../../../src/http/endpoints.js'
import { credentials, freshEmail, LOGIN_AS, newcomer, sessionIdOf } from '../../support/http/browser.js'
import { startResetting } from '../../support/http/resetting.js'
import type { TestService } from '../../support/http/service.js'

const BOSS = 'boss'
const { store: _, ...OF_DESK } = ACTIONS
const AGE = 600_000
const conditional = Object.entries(OF_DESK).map(([component, actions]): [string, readonly ActionRule[]] => [
  component,
  // Every login needs `user: find`.
  actions.map((action) => (action === 'find' ? action : { [action]: { fresh: AGE } })),
])
/** `desk` may do everything with accounts and keys, and `careful` may do so after a recent proof. `boss` may copy the store. */
const PERMISSIONS = {
  roles: {
    everyone: { components: { auth: ['login', 'reset-password', 'sign-up'], user: ['find'] } },
    cli: { components: { ...ACTIONS } },
    administrator: { components: { auth: ['login-as', 'logout-as'] } },
    desk: { components: { ...OF_DESK, auth: [] } },
    careful: { components: { ...Object.fromEntries(conditional), auth: ['confirm'] } },
    boss: { components: { store: ['copy'] } },
    editor: {},
  },
}

/**
 * The status of each route for a caller with the role `desk`: `permitted` if the target is an `editor`, and `exceeding`
 * if the target is a `boss`, who has more permissions than the caller. A caller without the permission gets a 403
 * response from each route.
 */
const STATUSES: Readonly<Record<string, readonly [permitted: number, exceeding: number]>> = {
  'GET /users': [200, 200],
  'GET /duplicate-users': [200, 200],
  'POST /users': [201, 403],
  'GET /users/:id': [200, 200],
  'DELETE /users/:id': [204, 403],
  'PUT /users/:id/password': [204, 403],
  'PUT /users/:id/email': [204, 403],
  'POST /users/:id/disable': [204, 403],
  'POST /users/:id/enable': [204, 403],
  'POST /users/:id/unlock': [204, 403],
  'GET /users/:id/export': [200, 403],
  'GET /users/:id/second-factor': [200, 200],
  // The target has no second factor.
  'DELETE /users/:id/second-factor': [404, 403],
  'GET /users/:id/passkeys': [200, 200],
  'DELETE /users/:id/passkeys/:passkeyId': [204, 403],
  'POST /users/:id/reset-mail': [202, 403],
  'POST /users/:id/approve': [204, 403],
  'GET /invitations': [200, 200],
  'POST /invitations': [201, 403],
  'POST /invitations/:id/mail': [202, 403],
  'DELETE /invitations/:id': [204, 403],
  'GET /roles': [200, 200],
  'POST /roles': [201, 201],
  'DELETE /roles/:key': [204, 204],
  'PUT /users/:id/roles/:key': [204, 403],
  'DELETE /users/:id/roles/:key': [204, 403],
  'GET /users/:id/sessions': [200, 200],
  'DELETE /users/:id/sessions': [200, 403],
  'DELETE /users/:id/sessions/:sessionId': [204, 403],
  'GET /api-keys': [200, 200],
  'POST /api-keys': [201, 403],
  'DELETE /api-keys/:id': [204, 403],
  'GET /audit': [200, 200],
}

let names = 0

/** Sends a request about a new account, key or role to the route; the target has this role. */
async function request(
  { client, useCases, account, store, clock }: TestService,
  route: string,
  role: string,
) {
  const [method = '', path = ''] = route.split(' ')
  const email = freshEmail()
  const id = await account(email, [role])
  const password = 'a longer walk in the park'
  const key = `role-${(names += 1)}`
  if (route === 'DELETE /roles/:key') await useCases.createRole({ caller: OPERATOR, key, label: key })
  const [passkey] = await addPasskeys(store, (await store.accounts.find(id as AccountId)) ?? expect.fail(), 1)
  const made = await useCases.createApiKey({ caller: OPERATOR, name: 'made', roles: [role] })
  const invitation = await useCases.inviteUser({ caller: OPERATOR, email: freshEmail(), roles: [role] })
  const login = await client.call('POST', '/api/auth/login', {
    json: { email, password: 'correct horse battery' },
  })
  const sessionId = sessionIdOf((login.json as { view: { jwt: string } }).view.jwt)
  const bodies: Readonly<Record<string, object>> = {
    'POST /users': { email: freshEmail(), password, roles: [role] },
    'PUT /users/:id/password': { password },
    'PUT /users/:id/email': { newEmail: freshEmail() },
    'POST /invitations': { email: freshEmail(), roles: [role] },
    'POST /roles': { key, label: key },
    'POST /api-keys': { name: 'new', roles: [role] },
  }
  if (route.endsWith('/approve')) await store.accounts.setDisabled(id as AccountId, clock.now)
  const ids: Readonly<Record<string, string | number>> = { 'api-keys': made.id, invitations: invitation.id }
  const filled = path
    .replace(':id', String(ids[path.split('/')[1] ?? ''] ?? id))
    .replace(':key', path.startsWith('/roles') ? key : role)
    .replace(':sessionId', sessionId)
    .replace(':passkeyId', passkey?.id ?? '')
  return [method, `/api/admin${filled}`, bodies[route]] as const
}

describe('the routes of operators', () => {
  const services: TestService[] = []
  after(() => Promise.all(services.map((service) => service.close())))
  const start = async () => {
    const passkeyDomain = { rpId: 'localhost', relatedOrigins: [] }
    const { service } = await startResetting({
      ...{ permissions: PERMISSIONS, mode: 'stateful' },
      settings: { administration: 'on', passkeyDomain },
    })
    services.push(service)
    return service
  }

  it('are exactly the routes that this test lists', () => {
    const offered = ENDPOINTS.filter(({ operation = '' }) => isForOperators(operation))
    const routes = offered.map(({ method, path }) => `${method} ${path.replace('/api/admin', '')}`)
    expect(routes.sort()).to.deep.equal(Object.keys(STATUSES).sort())
  })

  /** The statuses of each route for an API key with this role. */
  async function statusesOf(callerRole: string, targetRoles: readonly string[]) {
    const service = await start()
    const headers = { 'X-API-Key': await service.apiKey([callerRole]) }
    const statuses: Record<string, number[]> = {}
    for (const route of Object.keys(STATUSES))
      for (const role of targetRoles) {
        const [method, path, json] = await request(service, route, role)
        const { status } = await service.client.call(method, path, { headers, ...(json && { json }) })
        statuses[route] = [...(statuses[route] ?? []), status]
      }
    return statuses
  }

  it('reply with the expected status to a caller with the permissions', async () => {
    expect(await statusesOf('desk', ['editor', BOSS])).to.deep.equal(STATUSES)
  })

  it('refuse a caller without the permissions', async () => {
    const statuses = await statusesOf('editor', ['editor'])
    expect(Object.entries(statuses).filter(([, [status]]) => status !== 403)).to.deep.equal([])
  })

  it('refuse an administrator who acts as an account, even if the account has the permissions', async () => {
    const service = await start()
    const userId = await service.account(freshEmail(), ['desk'])
    const { send } = await newcomer(service, ['administrator'])
    expect((await send('POST', LOGIN_AS, { json: { userId } })).status).to.equal(200)
    const { status, text } = await send('GET', '/api/admin/users')
    expect([status, text]).to.match(/^403,.*acting as another account/)
    const own = await send('GET', '/api/admin/permissions')
    expect(own.json).to.have.deep.property('permissions', {
      ...{ pets: ACTIONS.pets, project: ACTIONS.project },
      auth: ['login', 'reset-password', 'sign-up'],
    })
  })

  it('check the permission before they read the query, like other routes', async () => {
    const { send } = await newcomer(await start(), ['editor'])
    for (const path of ['/api/admin/users', '/api/project'])
      expect((await send('GET', `${path}?limit=none`)).status, path).to.equal(403)
  })

  it('refuse a login whose last proof is older than the permissions allow', async () => {
    const service = await start()
    const { send } = await newcomer(service, ['careful'])
    expect((await send('GET', '/api/admin/users')).status).to.equal(200)
    service.clock.now += AGE + 1
    const { status, text } = await send('GET', '/api/admin/users')
    expect([status, text]).to.match(/^401,.*fresh-login-required/)
  })

  it('refuse HTTP Basic, a revoked key, and a cookie without its token', async () => {
    const service = await start()
    const { held, email } = await newcomer(service, ['desk'])
    const key = await service.apiKey(['desk'])
    await service.useCases.revokeApiKey({ caller: OPERATOR, id: '1' })
    const basic = `Basic ${btoa(`${email}:correct horse battery`)}`
    for (const headers of [
      credentials({ cookie: held().cookie }),
      { Authorization: basic },
      { BasicAuth: basic },
      { 'X-API-Key': key },
      {},
    ])
      expect((await service.client.call('GET', '/api/admin/users', { headers })).status).to.equal(401)
  })
})
