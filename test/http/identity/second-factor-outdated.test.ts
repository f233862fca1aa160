import { expect } from 'chai'
import { OPERATOR } from '../../../src/domain/access/caller.js'
import { createBrowser, LOGIN, newcomer, type Browser } from '../../support/http/browser.js'
import { expectInvalidToken } from '../../support/http/expected.js'
import { CONFIRM, guarded, REMOVE, setUp, STEP, viewOf } from '../../support/http/factor.js'
import { PASSWORD, type TestService } from '../../support/http/service.js'
import { servicesOfTests } from '../../support/http/services.js'
import { oneTimeCode } from '../../support/one-time-code.js'

const NEW = 'the stable door is open'

/** Without a session and without revocations an access token is good until it expires, whatever became of its account. */
describe('a second factor and an access token that is older than the password', () => {
  const serve = servicesOfTests()
  let service: TestService
  beforeEach(async () => {
    service = await serve({ mode: 'stateless' })
  })

  const change = ({ email }: Browser) =>
    service.useCases.setPassword({ caller: OPERATOR, email, password: NEW })

  it('confirms nothing: who has begun a set-up by then cannot lock the owner out', async () => {
    const browser = await newcomer(service)
    const secret = String(viewOf(await setUp(browser))['secret'])
    await change(browser)
    const code = oneTimeCode(secret, service.clock.now)
    expectInvalidToken(await browser.send('POST', CONFIRM, { json: { code } }))
    expect((await createBrowser(service, browser.email).login(NEW)).status).to.equal(200)
  })

  it('removes nothing, and spends no code', async () => {
    const account = await guarded(service)
    await change(account)
    service.clock.now += STEP
    const code = account.code()
    expectInvalidToken(await account.send('POST', REMOVE, { json: { password: NEW, code } }))
    const login = (json: object) =>
      service.client.call('POST', LOGIN, { json: { email: account.email, password: NEW, ...json } })
    expect((await login({})).status).to.equal(401)
    expect((await login({ code })).status).to.equal(200)
  })

  it('sets nothing up, whatever the password', async () => {
    const browser = await newcomer(service)
    await change(browser)
    for (const password of [PASSWORD, NEW]) expectInvalidToken(await setUp(browser, password))
  })
})
