import { expect } from 'chai'
import { envelopeOf, identityWith, LOGIN, newcomer, setCookies } from '../../support/http/browser.js'
import { expectInvalidToken, type loggedIn, loggedOut } from '../../support/http/expected.js'
import { CONFIRM, FACTOR, guarded, logInWith, setUp, viewOf } from '../../support/http/factor.js'
import { startService, START, type TestService } from '../../support/http/service.js'
import { oneTimeCode } from '../../support/one-time-code.js'

const REQUIRED = loggedOut(401, { message: 'second-factor-required', field: 'code', type: 'Required' })

describe('a second factor', () => {
  let service: TestService
  before(async () => {
    service = await startService()
  })
  beforeEach(() => {
    service.clock.now = START
  })
  after(() => service.close())

  it('is confirmed with a code, which replaces the session with new credentials', async () => {
    const browser = await newcomer(service, ['editor'])
    const before = browser.held()
    const secret = String(viewOf(await setUp(browser))['secret'])
    const reply = await browser.send('POST', CONFIRM, {
      json: { code: oneTimeCode(secret, service.clock.now) },
    })
    const { recoveryCodes, ...view } = viewOf(reply) as { recoveryCodes: string[] }
    expect(recoveryCodes).to.have.length(10)
    expect(new Set(recoveryCodes).size).to.equal(10)
    for (const code of recoveryCodes) expect(code).to.match(/^([A-Z2-7]{4}-){3}[A-Z2-7]{4}$/)
    const { jwt, refreshToken } = envelopeOf(reply).view
    const identity = (await browser.getIdentity()).json as ReturnType<typeof loggedIn>
    expect(view).to.deep.equal({ ...identity.view, jwt, refreshToken })
    expect(setCookies(reply)).to.have.length(before.cookie === undefined ? 0 : 1)
    expectInvalidToken(await identityWith(service, before))
    expect((await browser.refresh()).status).to.equal(200)
    const since = new Date(service.clock.now).toISOString()
    expect(viewOf(await browser.send('GET', FACTOR))['secondFactor']).to.deep.equal({
      ...{ active: true, since, recoveryCodesLeft: 10, required: false },
    })
  })

  it('is required only by a login with the right password', async () => {
    const account = await guarded(service)
    for (const code of [undefined, '']) {
      const reply = await logInWith(service, account, code)
      expect([reply.status, reply.json]).to.deep.equal([401, REQUIRED])
      expect(setCookies(reply)).to.deep.equal([])
    }
    const json = { email: account.email, password: 'wrong', code: account.code(1) }
    const wrong = await service.client.call('POST', LOGIN, { json })
    expect(envelopeOf(wrong).view.messages).to.deep.equal([
      { message: 'Login Failed', field: 'email', type: 'LoginFailed', code: 401 },
    ])
    const reply = await logInWith(service, account, account.code(1))
    expect([reply.status, envelopeOf(reply).view.user]).to.deep.equal([
      200,
      { id: account.id, email: account.email },
    ])
  })
})
