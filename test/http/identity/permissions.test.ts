import { expect } from 'chai'
import type { PermissionRules } from '../../../src/domain/access/permissions.js'
import type { RoleKey } from '../../../src/domain/access/role.js'
import { startService, type TestService } from '../../support/http/service.js'
import { envelopeOf, newcomer, setCookies } from '../../support/http/browser.js'
import { loggedOut } from '../../support/http/expected.js'
import { servicesOfTests } from '../../support/http/services.js'

const NOT_PERMITTED = { message: 'This action is not granted to you.', field: '', type: 'Forbidden' }

describe('the default permissions', () => {
  let service: TestService
  before(async () => {
    service = await startService()
    for (const key of ['cli', 'everyone', 'guest', 'user', '__proto__x']) {
      await service.store.roles.insert({ uuid: `uuid of ${key}`, key: key as RoleKey, label: key })
    }
  })
  after(() => service.close())

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
