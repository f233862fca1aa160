import { expect } from 'chai'
import type { AccountId } from '../../../src/domain/identity/account.js'
import { DEFAULT_PERMISSIONS, type PermissionRules } from '../../../src/domain/access/permissions.js'
import { PASSWORD, STATELESS, type TestOptions } from '../../support/http/service.js'
import {
  createBrowser,
  identityWith,
  newcomer,
  refreshWith,
  setCookies,
  type Browser,
} from '../../support/http/browser.js'
import { expectInvalidToken, loggedOut, LOGIN_FAILED } from '../../support/http/expected.js'
import { servicesOfTests } from '../../support/http/services.js'

const DELETE = '/api/auth/delete-account'

/** The built-in rules, with the permission to delete the own account for every user. */
const PERMITTED: PermissionRules = {
  roles: {
    ...DEFAULT_PERMISSIONS.roles,
    user: {
      components: {
        ...DEFAULT_PERMISSIONS.roles.user.components,
        auth: ['delete-account', 'second-factor'],
      },
    },
    admin: {
      components: { auth: ['login-as', 'logout-as'] },
      inherit: ['project-editor'],
    },
  },
}

const deleteBy = (browser: Browser, json: unknown = { password: PASSWORD }) =>
  browser.send('POST', DELETE, { json })

describe("deleting one's own account", () => {
  const start = servicesOfTests()
  const serve = (options: TestOptions = {}) => start({ permissions: PERMITTED, ...options })

  it('removes the account with all its credentials and logs out', async () => {
    const service = await serve()
    const browser = await newcomer(service, ['editor'])
    const elsewhere = createBrowser(service, browser.email)
    await elsewhere.login()
    const held = browser.held()
    const reply = await deleteBy(browser)
    expect([reply.status, reply.json]).to.deep.equal([200, loggedOut(200)])
    expect(setCookies(reply)).to.have.length(STATELESS ? 0 : 1)
    if (!STATELESS) expect(setCookies(reply)[0]).to.match(/^\S*sid=; /)
    for (const one of [held, elsewhere.held()]) {
      expectInvalidToken(await identityWith(service, one))
      expectInvalidToken(await refreshWith(service, one))
    }
    const again = await createBrowser(service, browser.email).login()
    expect([again.status, again.json]).to.deep.equal([401, LOGIN_FAILED])
    expect(await service.store.accounts.find(browser.id as AccountId)).to.equal(undefined)
  })
})
