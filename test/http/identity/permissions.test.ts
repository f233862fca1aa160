import { expect } from 'chai'
import type { PermissionRules } from '../../../src/domain/access/permissions.js'
import { newcomer, setCookies } from '../../support/http/browser.js'
import { loggedOut } from '../../support/http/expected.js'
import { servicesOfTests } from '../../support/http/services.js'

const NOT_PERMITTED = { message: 'This action is not granted to you.', field: '', type: 'Forbidden' }

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
