import { expect } from 'chai'
import type { TestOptions } from '../support/http/service.js'
import { rotating } from '../support/rotation.js'
import { EMAIL, logIn, notices, open, visitsOfApiPage } from './api-page.js'
import { describeInChromium } from './chromium.js'

const STANDARD = { authorizationHeader: 'Authorization' }
const CUSTOM = {
  ...{ authorizationHeader: 'X-Kennel-Token', petsApiKeyHeader: 'X-Kennel-Key' },
  cookie: { name: 'pack', secure: false, sameSite: 'strict' },
} as const

/** Settings of services; on each service, the page must be able to log in with only the API description. */
const SERVICES: Readonly<Record<string, TestOptions>> = {
  'with sessions': { mode: 'stateful' },
  'without sessions': { mode: 'stateless-revocable' },
  'with the standard header': { mode: 'stateful', settings: STANDARD },
  'without sessions, with the standard header': { mode: 'stateless-revocable', settings: STANDARD },
  'with custom names': { mode: 'stateful', settings: CUSTOM },
}

describeInChromium('the page at /docs', (chromium) => {
  const visit = visitsOfApiPage(chromium)

  for (const [name, options] of rotating(Object.entries(SERVICES), 2)) {
    it(`supports all steps from login to logout in a service ${name}, with only one form to fill in`, async () => {
      const visitor = await visit(options)
      const { page } = visitor
      await logIn(page)
      const identity = await open(page, 'identity-getIdentity')
      expect(await identity.execute())
        .to.include({ status: 200 })
        .and.have.property('text')
        .that.includes(EMAIL)
      const refresh = await open(page, 'identity-refresh')
      const first = await refresh.body()
      expect((await refresh.execute()).status).to.equal(200)
      expect(await refresh.body()).to.not.equal(first)
      expect((await identity.execute()).status).to.equal(200)
      expect((await refresh.execute()).status).to.equal(200)
      const logout = await open(page, 'identity-logout')
      expect((await logout.execute()).status).to.equal(200)
      expect(await notices(page)).to.deep.equal([])
      visitor.expectQuiet()
    })
  }
})
