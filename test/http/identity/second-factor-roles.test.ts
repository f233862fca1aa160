import { expect } from 'chai'
import { OPERATOR } from '../../../src/domain/access/caller.js'
import type { RoleKey } from '../../../src/domain/access/role.js'
import { actingAs, LOGIN_AS, loginAs, logoutAs } from '../../support/http/acting.js'
import {
  CHANGE_PASSWORD,
  CREATE_PROJECT,
  envelopeOf,
  newcomer,
  payloadOf,
  PROJECT,
  setCookies,
  type Browser,
} from '../../support/http/browser.js'
import { loggedOut } from '../../support/http/expected.js'
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
import { oneTimeCode } from '../../support/one-time-code.js'
import { PASSWORD, startService, START, STATELESS, type TestService } from '../../support/http/service.js'
import { servicesOfTests } from '../../support/http/services.js'

const FACTOR_ROLES = new Set(['admin', 'project-editor'] as RoleKey[])
const REQUIRED = loggedOut(401, { message: 'second-factor-required', field: 'code', type: 'Required' })

describe('roles that need a second factor', () => {
  let service: TestService
  before(async () => {
    service = await startService({ factorRoles: FACTOR_ROLES })
  })
  beforeEach(() => {
    service.clock.now = START
  })
  after(() => service.close())

  const rolesOf = async (browser: Browser) =>
    Object.keys(envelopeOf(await browser.getIdentity()).view.roleList)
  const createProject = async (browser: Browser) =>
    (await browser.send('POST', CREATE_PROJECT, { json: PROJECT })).status

  /** An operator removes the factor, and the user confirms another factor a moment later. */
  const replaceFactor = async (account: Browser) => {
    await service.useCases.removeUserFactor({ caller: OPERATOR, email: account.email })
    service.clock.now += 1
    await account.login()
    const secret = String(viewOf(await setUp(account))['secret'])
    const json = { code: oneTimeCode(secret, service.clock.now) }
    expect((await account.send('POST', CONFIRM, { json })).status).to.equal(200)
  }

  it('do not count in a session without it, and other roles do', async () => {
    const browser = await newcomer(service, ['project-editor', 'editor'])
    expect(Object.keys(envelopeOf(await browser.login()).view.roleList)).to.deep.equal(['editor'])
    expect(await rolesOf(browser)).to.deep.equal(['editor'])
    expect(await createProject(browser)).to.equal(403)
    expect(viewOf(await browser.send('GET', FACTOR))['secondFactor']).to.have.property('required', true)
    expect((await browser.refresh()).status).to.equal(200)
    expect(await rolesOf(browser)).to.deep.equal(['editor'])
  })

  it('count in sessions that confirmed the factor or gave a code, and after refreshes', async () => {
    const account = await guarded(service, ['project-editor', 'editor'])
    for (const browser of [account, await again(service, account, 1)]) {
      expect(await rolesOf(browser)).to.deep.equal(['editor', 'project-editor'])
      expect(await createProject(browser)).to.equal(201)
      const reply = await browser.refresh()
      expect(Object.keys(envelopeOf(reply).view.roleList)).to.deep.equal(['editor', 'project-editor'])
      expect(await createProject(browser)).to.equal(201)
    }
  })

  it('do not count in a session of a removed factor, even after a new factor is confirmed', async () => {
    const account = await guarded(service, ['project-editor'])
    const stolen = await again(service, account, 1)
    expect(await rolesOf(stolen)).to.deep.equal(['project-editor'])
    await replaceFactor(account)
    // A stateless token keeps the roles of its issue time.
    if (!STATELESS) expect(await rolesOf(stolen)).to.deep.equal([])
    expect(await rolesOf(account)).to.deep.equal(['project-editor'])
    for (const _ of ['first', 'second']) {
      expect((await stolen.refresh()).status).to.equal(200)
      expect([await rolesOf(stolen), await createProject(stolen)]).to.deep.equal([[], 403])
    }
    expect((await account.refresh()).status).to.equal(200)
    expect(await rolesOf(account)).to.deep.equal(['project-editor'])
  })

  it('do not count in the session that a password change opens with a removed factor', async () => {
    const account = await guarded(service, ['project-editor'])
    const old = await again(service, account, 1)
    await replaceFactor(account)
    const newPassword = `${PASSWORD} again`
    await old.send('POST', CHANGE_PASSWORD, { json: { password: PASSWORD, newPassword } })
    expect([await rolesOf(old), await createProject(old)]).to.deep.equal([[], 403])
  })

  it("end an impersonation when the administrator's factor is replaced", async () => {
    const [admin, target] = [await guarded(service, ['admin']), await newcomer(service)]
    const acting = await again(service, admin, 1)
    const json = { userId: target.id, code: admin.code(2) }
    service.clock.now += STEP
    expect((await acting.send('POST', LOGIN_AS, { json })).status).to.equal(200)
    await replaceFactor(admin)
    for (const status of [(await acting.refresh()).status, (await logoutAs(acting)).status])
      expect(status).to.equal(401)
  })

  it('do not count at login-as without a factor, and require a code with one', async () => {
    const target = await newcomer(service, ['editor'])
    const without = await newcomer(service, ['admin'])
    expect((await loginAs(without, target.id)).status).to.equal(403)
    const admin = await guarded(service, ['admin'])
    const asked = await loginAs(admin, target.id)
    expect([asked.status, asked.json]).to.deep.equal([401, REQUIRED])
    expect((await admin.getIdentity()).status).to.equal(200)
    const acting = await admin.send('POST', LOGIN_AS, { json: { userId: target.id, code: admin.code(1) } })
    expect(acting.status).to.equal(200)
    const roleList = envelopeOf(acting).view.roleList
    expect((await admin.getIdentity()).json).to.deep.equal(actingAs(target, admin, roleList))
    expect(Object.keys(roleList)).to.deep.equal(['editor'])
    expect((await admin.refresh()).status, 'a refresh judges the administrator').to.equal(200)
    expect((await logoutAs(admin)).status).to.equal(200)
    expect(await rolesOf(admin)).to.deep.equal(['admin'])
  })

  it('reject a wrong or used code at login-as as a login does, and end nothing', async () => {
    const [admin, target] = [await guarded(service, ['admin']), await newcomer(service, ['editor'])]
    const failed = loggedOut(401, { message: 'Login Failed', field: 'code', type: 'LoginFailed' })
    const actWith = (code: string) => admin.send('POST', LOGIN_AS, { json: { userId: target.id, code } })
    for (const code of [admin.code(5), admin.code(-5), 'AAAA-AAAA-AAAA-AAAA', 'no code']) {
      const reply = await actWith(code)
      expect([reply.status, reply.json], code).to.deep.equal([401, failed])
      expect(setCookies(reply), code).to.deep.equal([])
    }
    expect((await admin.getIdentity()).status).to.equal(200)
    expect((await actWith(admin.code(1))).status).to.equal(200)
    expect((await logoutAs(admin)).status).to.equal(200)
    expect((await actWith(admin.code(1))).json, 'used').to.deep.equal(failed)
  })

  it('add `amr` to stateless tokens only', async () => {
    const [plain, account] = [await newcomer(service), await guarded(service)]
    await plain.refresh()
    for (const browser of [account, await again(service, account, 1)]) {
      await browser.refresh()
      for (const token of [browser.held().accessToken, browser.held().refreshToken]) {
        if (STATELESS) expect(payloadOf(token)['amr']).to.deep.equal(['pwd', 'otp'])
        else expect(payloadOf(token)).not.to.have.property('amr')
      }
    }
    expect(payloadOf(plain.held().accessToken)).not.to.have.property('amr')
  })
})

describe('an account with a second factor', () => {
  const serve = servicesOfTests()
  const basic = (email: string, password = PASSWORD) => ({
    Authorization: `Basic ${Buffer.from(`${email}:${password}`).toString('base64')}`,
  })

  it('cannot read pets with its password alone; the reply equals a wrong password', async () => {
    const service = await serve()
    const [account, plain] = [await guarded(service), await newcomer(service)]
    const pets = (headers: Record<string, string>) => service.client.call('GET', '/v1/pets', { headers })
    expect((await pets(basic(plain.email))).status).to.equal(200)
    const wrong = await pets(basic(account.email, 'wrong'))
    for (const _ of ['first', 'second', 'third']) {
      const reply = await pets(basic(account.email))
      expect([reply.status, reply.text]).to.deep.equal([401, wrong.text])
    }
  })

  it('computes a decoy hash for Basic, so that timing does not reveal a right password', async () => {
    const given: (string | undefined)[] = []
    const service = await serve({
      aroundHasher: (hasher) => ({
        ...hasher,
        verify: (password, hash) => {
          given.push(hash)
          return hasher.verify(password, hash)
        },
      }),
    })
    const account = await guarded(service)
    given.length = 0
    for (const password of [PASSWORD, PASSWORD, 'wrong'])
      await service.client.call('GET', '/v1/pets', { headers: basic(account.email, password) })
    expect(given).to.deep.equal([undefined, undefined, undefined])
  })

  it('has each code accepted only once, across all routes', async () => {
    const service = await serve()
    const [admin, target] = [await guarded(service, ['admin']), await newcomer(service)]
    const logIn = async (code: string) => (await logInWith(service, admin, code)).status
    const actAs = async (code: string) =>
      (await admin.send('POST', LOGIN_AS, { json: { userId: target.id, code } })).status
    const remove = async (code: string) =>
      (await admin.send('POST', REMOVE, { json: { password: PASSWORD, code } })).status
    expect([await logIn(admin.code()), await actAs(admin.code()), await remove(admin.code())]).to.deep.equal([
      401, 401, 400,
    ])
    service.clock.now += 2 * STEP
    expect([await logIn(admin.code()), await actAs(admin.code())]).to.deep.equal([200, 401])
    service.clock.now += 16 * 60_000
    await admin.refresh()
    expect([await actAs(admin.code()), await logIn(admin.code())]).to.deep.equal([200, 401])
    expect((await logoutAs(admin)).status).to.equal(200)
    const [recovery = ''] = admin.recoveryCodes
    expect([await actAs(recovery), await logIn(recovery)]).to.deep.equal([200, 401])
  })
})
