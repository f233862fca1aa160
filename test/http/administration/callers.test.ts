import { expect } from 'chai'
import { addPasskeys } from '../../../src/contracts/arrangements.js'
import type { AccountId } from '../../../src/domain/identity/account.js'
import { OPERATOR } from '../../../src/domain/access/caller.js'
import { ACTIONS } from '../../../src/domain/access/components.js'
import type { ActionRule } from '../../../src/domain/access/permission-rules.js'
import { isForOperators } from '../../../src/http/administration.js'
import { ENDPOINTS } from '../../../src/http/endpoints.js'
import { credentials, freshEmail, LOGIN_AS, newcomer, sessionIdOf } from '../../support/http/browser.js'
import type { Reply } from '../../support/http/client.js'
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
/** `desk` has all permissions on accounts and keys, and `careful` has them after a recent proof. `boss` may copy the store. */
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

type Send = (method: string, path: string, json?: object) => Promise<Reply>
type Start = (mode?: 'stateless-revocable') => Promise<TestService>

/** Each kind of caller with these roles, and whether the roles apply. */
const CALLERS: Readonly<
  Record<string, (start: Start, roles: readonly string[]) => Promise<[TestService, Send]>>
> = {
  'an API key': async (start, roles) => {
    const service = await start()
    const key = await service.apiKey(roles)
    return [
      service,
      (method, path, json) =>
        service.client.call(method, path, { headers: { 'X-API-Key': key }, ...(json && { json }) }),
    ]
  },
  'an account': async (start, roles) => await loggedIn(await start(), roles),
  'a stateless login': async (start, roles) => await loggedIn(await start('stateless-revocable'), roles),
}

async function loggedIn(service: TestService, roles: readonly string[]): Promise<[TestService, Send]> {
  const { send } = await newcomer(service, roles)
  return [service, (method, path, json) => send(method, path, { ...(json && { json }) })]
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
  const start: Start = async (mode = 'stateful' as never) => {
    const passkeyDomain = { rpId: 'localhost', relatedOrigins: [] }
    const { service } = await startResetting({
      ...{ permissions: PERMISSIONS, mode },
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

  for (const [name, open] of Object.entries(CALLERS)) {
    it(`reply to ${name} with the expected status if the caller has the permissions`, async () => {
      const [service, send] = await open(start, ['desk'])
      const replies: Record<string, unknown> = {}
      for (const route of Object.keys(STATUSES)) {
        const statuses: number[] = []
        for (const role of ['editor', BOSS]) {
          const reply = await send(...(await request(service, route, role)))
          statuses.push(reply.status)
          if (role === BOSS && reply.status === 403) expect(reply.text, route).to.include('store: copy')
        }
        replies[route] = statuses
      }
      const stateless = { 'DELETE /users/:id/sessions/:sessionId': [404, 403] }
      expect(replies).to.deep.equal({ ...STATUSES, ...(name === 'a stateless login' && stateless) })
    })

    it(`refuse ${name} without the permissions`, async () => {
      const [service, send] = await open(start, ['editor'])
      for (const route of Object.keys(STATUSES)) {
        const { status, json } = await send(...(await request(service, route, 'editor')))
        expect([route, status]).to.deep.equal([route, 403])
        expect((json as { message: string }).message, route).to.match(
          /^You do not have permission to do this/,
        )
      }
    })
  }

  it('refuse an administrator who acts as an account, even if the account has the permissions', async () => {
    const service = await start()
    const userId = await service.account(freshEmail(), ['desk'])
    const [, send] = await loggedIn(service, ['administrator'])
    expect((await send('POST', LOGIN_AS, { userId })).status).to.equal(200)
    for (const route of Object.keys(STATUSES)) {
      const { status, text } = await send(...(await request(service, route, 'editor')))
      expect([route, status], text).to.deep.equal([route, 403])
      expect(text).to.include('acting as another account')
    }
    const own = await send('GET', '/api/admin/permissions')
    expect(own.json).to.have.deep.property('permissions', {
      ...{ pets: ACTIONS.pets, project: ACTIONS.project },
      auth: ['login', 'reset-password', 'sign-up'],
    })
  })

  it('refuse a login whose last proof is older than the permissions allow', async () => {
    const [service, send] = await loggedIn(await start(), ['careful'])
    expect((await send('GET', '/api/admin/users')).status).to.equal(200)
    service.clock.now += AGE + 1
    for (const route of Object.keys(STATUSES)) {
      const { status, text } = await send(...(await request(service, route, 'editor')))
      expect([route, status], text).to.deep.equal([route, 401])
      expect(text).to.include('fresh-login-required')
    }
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

  it('refuse the next request of an administrator who has lost the role', async () => {
    const service = await start()
    const { send, email } = await newcomer(service, ['desk'])
    expect((await send('GET', '/api/admin/users')).status).to.equal(200)
    await service.useCases.assignRole({ caller: OPERATOR, email, role: 'desk', remove: true })
    expect((await send('GET', '/api/admin/users')).status).to.equal(403)
  })
})
