import { expect } from 'chai'
import { startService, type TestService } from '../../support/http/service.js'
import { itWithSessions } from '../../support/http/modes.js'
import { createBrowser, identityWith, newcomer } from '../../support/http/browser.js'
import { expectInvalidToken } from '../../support/http/expected.js'

describe('a new session', () => {
  let service: TestService
  before(async () => {
    service = await startService()
  })
  after(() => service.close())

  itWithSessions('ignores a planted session cookie', async () => {
    const browser = await newcomer(service)
    const planted = `sid=${'A'.repeat(43)}`
    const victim = createBrowser(service, browser.email, { held: { cookie: planted } })
    expect((await victim.login()).status).to.equal(200)
    expect(victim.held().cookie).to.match(/^sid=[\w-]{43}$/)
    expect(victim.held().cookie).to.not.equal(planted)
    expectInvalidToken(await identityWith(service, { ...victim.held(), cookie: planted }))
    expect((await victim.getIdentity()).status).to.equal(200)
  })
})
