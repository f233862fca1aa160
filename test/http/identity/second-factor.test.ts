import { expect } from 'chai'
import { OPERATOR } from '../../../src/domain/access/caller.js'
import {
  createBrowser,
  envelopeOf,
  identityWith,
  LOGIN,
  newcomer,
  setCookies,
} from '../../support/http/browser.js'
import { expectInvalidToken, type loggedIn, loggedOut } from '../../support/http/expected.js'
import {
  again,
  CONFIRM,
  FACTOR,
  guarded,
  logInWith,
  REMOVE,
  setUp,
  STEP,
  viewOf,
} from '../../support/http/factor.js'
import { PASSWORD, startService, START, type TestService } from '../../support/http/service.js'
import { oneTimeCode } from '../../support/one-time-code.js'
import { STORES, type OpenedStore } from '../../support/stores.js'

const REQUIRED = loggedOut(401, { message: 'second-factor-required', field: 'code', type: 'Required' })
const WRONG_CODE = loggedOut(401, { message: 'Login Failed', field: 'code', type: 'LoginFailed' })
const NONE = { active: false, since: null, recoveryCodesLeft: 0, required: false }

for (const { name, open } of STORES) {
  describe(`a second factor on the ${name} store`, () => {
    let opened: OpenedStore
    let service: TestService
    before(async () => {
      opened = await open()
      service = await startService({ store: opened.store })
    })
    beforeEach(() => {
      service.clock.now = START
    })
    after(async () => {
      await service.close()
      await opened.remove()
    })

    it('is none at first', async () => {
      const browser = await newcomer(service)
      const reply = await browser.send('GET', FACTOR)
      expect([reply.status, reply.json]).to.deep.equal([
        200,
        { code: 200, response: true, view: { secondFactor: NONE, messages: [] } },
      ])
    })

    it('is not asked for before it is confirmed', async () => {
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

    it('is confirmed with a code, by which the login is replaced by one with new credentials', async () => {
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

    it('leaves other logins of the account as they are', async () => {
      const browser = await newcomer(service)
      const other = createBrowser(service, browser.email)
      await other.login()
      const secret = String(viewOf(await setUp(browser))['secret'])
      await browser.send('POST', CONFIRM, { json: { code: oneTimeCode(secret, service.clock.now) } })
      expect((await other.getIdentity()).status).to.equal(200)
      expect((await other.refresh()).status).to.equal(200)
    })

    it('is asked for by a login whose password is right, and by no other', async () => {
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

    it('takes the code of the step before and of the one after, and none of two steps away', async () => {
      for (const off of [-1, 0, 1]) {
        const account = await guarded(service)
        service.clock.now += 10 * STEP
        expect((await logInWith(service, account, account.code(off))).status, String(off)).to.equal(200)
      }
      for (const off of [-2, 2, -3, 3]) {
        const account = await guarded(service)
        service.clock.now += 10 * STEP
        const reply = await logInWith(service, account, account.code(off))
        expect([reply.status, reply.json], String(off)).to.deep.equal([401, WRONG_CODE])
      }
    })

    it('takes no code of a device whose clock is 90 s off', async () => {
      const account = await guarded(service)
      service.clock.now += 10 * STEP
      for (const off of [-90_000, 90_000]) {
        const code = oneTimeCode(account.secret, service.clock.now + off)
        expect((await logInWith(service, account, code)).json).to.deep.equal(WRONG_CODE)
      }
      expect((await logInWith(service, account, account.code())).status).to.equal(200)
    })

    it('takes a code once, and none of an earlier step after it', async () => {
      const account = await guarded(service)
      expect((await logInWith(service, account, account.code())).json).to.deep.equal(WRONG_CODE)
      service.clock.now += 10 * STEP
      const [earlier, now] = [account.code(-1), account.code()]
      expect((await logInWith(service, account, now)).status).to.equal(200)
      expect((await logInWith(service, account, now)).json).to.deep.equal(WRONG_CODE)
      expect((await logInWith(service, account, earlier)).json).to.deep.equal(WRONG_CODE)
      expect((await logInWith(service, account, account.code(1))).status).to.equal(200)
    })

    it('takes codes as people type them', async () => {
      const account = await guarded(service)
      service.clock.now += 10 * STEP
      const code = account.code()
      expect((await logInWith(service, account, ` ${code.slice(0, 3)} ${code.slice(3)}\n`)).status).to.equal(
        200,
      )
      const [one = '', two = '', three = ''] = account.recoveryCodes
      for (const typed of [one, two.replaceAll('-', ''), three.toLowerCase().replaceAll('-', ' ')])
        expect((await logInWith(service, account, typed)).status, typed).to.equal(200)
    })

    it('takes a recovery code once, and none of another account', async () => {
      const [account, other] = [await guarded(service), await guarded(service)]
      const [code, next] = account.recoveryCodes
      expect((await logInWith(service, other, code)).json).to.deep.equal(WRONG_CODE)
      expect((await logInWith(service, account, code)).status).to.equal(200)
      expect((await logInWith(service, account, code)).json).to.deep.equal(WRONG_CODE)
      expect((await logInWith(service, account, next)).status).to.equal(200)
      expect(viewOf(await account.send('GET', FACTOR))['secondFactor']).to.have.property(
        'recoveryCodesLeft',
        8,
      )
      expect((await logInWith(service, account, account.code(1))).status).to.equal(200)
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

    it('is removed with a recovery code too', async () => {
      const account = await guarded(service)
      const json = { password: PASSWORD, code: account.recoveryCodes[0] }
      expect((await account.send('POST', REMOVE, { json })).status).to.equal(200)
    })

    it('survives another password, and a login of later needs it', async () => {
      const account = await guarded(service)
      const password = `${PASSWORD} again`
      await service.useCases.setPassword({ caller: OPERATOR, email: account.email, password })
      const login = (code?: string) =>
        service.client.call('POST', LOGIN, { json: { email: account.email, password, code } })
      expect((await login()).json).to.deep.equal(REQUIRED)
      expect((await login(account.code(1))).status).to.equal(200)
    })

    it('is in every login that was begun with it, through refreshes', async () => {
      const account = await guarded(service)
      const browser = await again(service, account, 1)
      for (const _ of ['once', 'twice']) expect((await browser.refresh()).status).to.equal(200)
      expect((await browser.getIdentity()).status).to.equal(200)
    })
  })
}
