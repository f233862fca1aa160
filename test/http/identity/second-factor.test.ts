import { expect } from 'chai'
import { envelopeOf, identityWith, LOGIN, newcomer, setCookies } from '../../support/http/browser.js'
import { expectInvalidToken, type loggedIn, loggedOut } from '../../support/http/expected.js'
import {
  CONFIRM,
  FACTOR,
  guarded,
  logInWith,
  RECOVERY_CODES,
  REMOVE,
  setUp,
  STEP,
  viewOf,
} from '../../support/http/factor.js'
import { PASSWORD, startService, START, type TestService } from '../../support/http/service.js'
import { oneTimeCode } from '../../support/one-time-code.js'

const REQUIRED = loggedOut(401, { message: 'second-factor-required', field: 'code', type: 'Required' })
const WRONG_CODE = loggedOut(401, { message: 'Login Failed', field: 'code', type: 'LoginFailed' })
const NONE = { active: false, since: null, recoveryCodesLeft: 0, required: false }

describe('a second factor', () => {
  let service: TestService
  before(async () => {
    service = await startService()
  })
  beforeEach(() => {
    service.clock.now = START
  })
  after(() => service.close())

  it('does not exist at first', async () => {
    const browser = await newcomer(service)
    const reply = await browser.send('GET', FACTOR)
    expect([reply.status, reply.json]).to.deep.equal([
      200,
      { code: 200, response: true, view: { secondFactor: NONE, messages: [] } },
    ])
  })

  it('is not required before it is confirmed', async () => {
    const browser = await newcomer(service)
    const held = browser.held()
    const { secret, uri, qrCode, messages } = viewOf(await setUp(browser))
    expect(secret).to.match(/^[A-Z2-7]{32}$/)
    expect(uri)
      .to.contain(`secret=${String(secret)}`)
      .and.to.contain(encodeURIComponent(browser.email))
    expect([String(qrCode).startsWith('<svg '), messages]).to.deep.equal([true, []])
    expect(viewOf(await browser.send('GET', FACTOR))['secondFactor']).to.deep.equal(NONE)
    expect(browser.held()).to.deep.equal(held)
    expect((await browser.login()).status).to.equal(200)
  })

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

  it('accepts a recovery code once, and none of another account', async () => {
    const [account, other] = [await guarded(service), await guarded(service)]
    const [code, next] = account.recoveryCodes
    expect((await logInWith(service, other, code)).json).to.deep.equal(WRONG_CODE)
    expect((await logInWith(service, account, code)).status).to.equal(200)
    expect((await logInWith(service, account, code)).json).to.deep.equal(WRONG_CODE)
    expect((await logInWith(service, account, next)).status).to.equal(200)
    expect(viewOf(await account.send('GET', FACTOR))['secondFactor']).to.have.property('recoveryCodesLeft', 8)
    expect((await logInWith(service, account, account.code(1))).status).to.equal(200)
  })

  it('gets new recovery codes with password and code, and the previous codes are void', async () => {
    const account = await guarded(service)
    const json = { password: PASSWORD, code: account.code(1) }
    const reply = await account.send('POST', RECOVERY_CODES, { json })
    const { recoveryCodes, ...view } = viewOf(reply) as { recoveryCodes: string[] }
    expect([reply.status, view]).to.deep.equal([200, { messages: [] }])
    expect(recoveryCodes).to.have.length(10)
    expect((await logInWith(service, account, account.recoveryCodes[0])).json).to.deep.equal(WRONG_CODE)
    expect((await logInWith(service, account, recoveryCodes[9])).status).to.equal(200)
    expect((await account.getIdentity()).status, 'the login goes on').to.equal(200)
  })

  it('is removed with password and code, and the password alone logs in again', async () => {
    const account = await guarded(service)
    service.clock.now += 10 * STEP
    const reply = await account.send('POST', REMOVE, { json: { password: PASSWORD, code: account.code() } })
    expect([reply.status, reply.json]).to.deep.equal([
      200,
      { code: 200, response: true, view: { secondFactor: NONE, messages: [] } },
    ])
    expect((await account.getIdentity()).status, 'the login goes on').to.equal(200)
    expect((await logInWith(service, account, undefined)).status).to.equal(200)
    expect((await setUp(account)).status).to.equal(200)
  })
})
