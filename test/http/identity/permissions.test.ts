import { expect } from 'chai'
import type { PermissionRules } from '../../../src/domain/access/permissions.js'
import type { RoleKey } from '../../../src/domain/access/role.js'
import type { Email } from '../../../src/domain/identity/email.js'
import { PASSWORD, startService, type TestService } from '../../support/http/service.js'
import { itWithSessions } from '../../support/http/modes.js'
import {
  CREATE_PROJECT,
  createBrowser,
  envelopeOf,
  freshEmail,
  GET_IDENTITY,
  LOGIN,
  LOGOUT,
  newcomer,
  PROJECT,
  REFRESH,
  setCookies,
} from '../../support/http/browser.js'
import { INVALID_TOKEN, loggedOut, notSaved } from '../../support/http/expected.js'
import { servicesOfTests } from '../../support/http/services.js'

const NOT_PERMITTED = { message: 'This action is not granted to you.', field: '', type: 'Forbidden' }
const INVALID = INVALID_TOKEN.view.messages

describe('the default permissions', () => {
  let service: TestService
  before(async () => {
    service = await startService()
    for (const key of ['cli', 'everyone', 'guest', 'user', '__proto__x']) {
      await service.store.roles.insert({ uuid: `uuid of ${key}`, key: key as RoleKey, label: key })
    }
  })
  after(() => service.close())

  /** Statuses of login, get-identity, refresh, project create and logout, in this order. */
  const TABLE: readonly (readonly [roles: readonly string[], statuses: readonly number[]])[] = [
    [[], [200, 200, 200, 403, 200]],
    [['project-editor'], [200, 200, 200, 201, 200]],
    [['admin'], [200, 200, 200, 201, 200]],
    [['not-in-the-file'], [200, 200, 200, 403, 200]],
    [['cli'], [200, 200, 200, 403, 200]],
    [['everyone'], [200, 200, 200, 403, 200]],
    [
      ['guest', 'user', 'cli'],
      [200, 200, 200, 403, 200],
    ],
    [
      ['not-in-the-file', 'project-editor'],
      [200, 200, 200, 201, 200],
    ],
    [['constructor-like'], [200, 200, 200, 403, 200]],
  ]
  for (const [roles, statuses] of TABLE) {
    it(`give ${roles.join(' and ') || 'no role'} the access in the table`, async () => {
      const email = freshEmail()
      await service.account(email, roles)
      const browser = createBrowser(service, email)
      const replies = [await browser.login(), await browser.getIdentity(), await browser.refresh()]
      replies.push(await browser.send('POST', CREATE_PROJECT, { json: PROJECT }), await browser.logout())
      expect(replies.map(({ status }) => status)).to.deep.equal(statuses)
      expect(Object.keys(envelopeOf(replies[1]!).view.roleList)).to.have.members(roles)
    })
  }

  it('give an anonymous caller the access in the table', async () => {
    const replies = [
      await service.client.call('POST', LOGIN, { json: { email: freshEmail(), password: PASSWORD } }),
      await service.client.call('GET', GET_IDENTITY),
      await service.client.call('POST', REFRESH, { json: { refreshToken: 'nothing' } }),
      await service.client.call('POST', CREATE_PROJECT, { json: PROJECT }),
      await service.client.call('POST', LOGOUT, { json: {} }),
    ]
    expect(replies.map(({ status }) => status)).to.deep.equal([401, 401, 401, 401, 200])
    expect(replies[3]?.json).to.deep.equal({
      code: 401,
      response: false,
      view: { saved: false, messages: INVALID },
    })
  })

  it('list the roles of an account with all members of their rows', async () => {
    const browser = await newcomer(service, ['b-role', 'a-role'])
    const rows = (await service.store.roles.list()).filter(({ key }) => key.endsWith('-role'))
    const { roleList } = envelopeOf(await browser.getIdentity()).view
    expect(roleList).to.deep.equal(Object.fromEntries(rows.map((row) => [row.key, { ...row }])))
    expect(Object.keys(roleList)).to.deep.equal(['a-role', 'b-role'])
  })
})

describe('a permission file', () => {
  const serve = servicesOfTests()
  const everyone = { auth: ['login', 'get-identity', 'refresh', 'logout'], user: ['find'] }
  const rules = (components: Record<string, readonly string[]>, more: PermissionRules['roles'] = {}) => ({
    roles: { everyone: { components }, ...more },
  })

  itWithSessions(
    'gives no account the permissions of cli or guest, even with a role of that key',
    async () => {
      const project = ['create']
      const cli = { components: { 'user-task': ['*'], role: ['*'], project } }
      const service = await serve({
        permissions: rules(everyone, { cli, guest: { components: { project } } }),
      })
      const browser = await newcomer(service)
      for (const key of ['cli', 'guest'] as RoleKey[]) {
        await service.store.roles.insert({ uuid: `uuid of ${key}`, key, label: key })
        await service.store.roles.assign(browser.email as Email, key)
      }
      const reply = await browser.send('POST', CREATE_PROJECT, { json: PROJECT })
      expect(Object.keys(envelopeOf(await browser.getIdentity()).view.roleList)).to.deep.equal([
        'cli',
        'guest',
      ])
      expect(reply.json).to.deep.equal(notSaved(403, NOT_PERMITTED))
    },
  )

  const actions = ['get-identity', 'refresh', 'logout'] as const
  for (const action of actions) {
    it(`without ${action} gives a logged-in caller 403 and ends nothing`, async () => {
      const auth = everyone.auth.filter((one) => one !== action)
      const cli = { components: { 'user-task': ['*'] } }
      const service = await serve({ permissions: rules({ ...everyone, auth }, { cli }) })
      const browser = await newcomer(service)
      const calls = {
        'get-identity': browser.getIdentity,
        refresh: browser.refresh,
        logout: browser.logout,
      }
      const reply = await calls[action]()
      expect(reply.json).to.deep.equal(loggedOut(403, NOT_PERMITTED))
      expect(setCookies(reply)).to.deep.equal([])
      const other = action === 'get-identity' ? 'refresh' : 'get-identity'
      expect((await calls[other]()).status).to.equal(200)
    })
  }
})
