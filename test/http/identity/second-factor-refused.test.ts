import { expect } from 'chai'
import { DEFAULT_PERMISSIONS } from '../../../src/domain/access/permissions.js'
import { impersonation } from '../../support/http/acting.js'
import { credentials, LOGIN, newcomer, setCookies, type Browser } from '../../support/http/browser.js'
import type { Reply } from '../../support/http/client.js'
import {
  expectInvalidToken,
  loggedOut,
  UNAVAILABLE,
  type ExpectedMessage,
} from '../../support/http/expected.js'
import { CONFIRM, FACTOR, guarded, REMOVE, SET_UP, setUp, STEP, viewOf } from '../../support/http/factor.js'
import { itWithSessions } from '../../support/http/modes.js'
import { oneTimeCode } from '../../support/one-time-code.js'
import { PASSWORD, startService, START, type TestService } from '../../support/http/service.js'
import { servicesOfTests } from '../../support/http/services.js'
import { STORES, storesOfTests } from '../../support/stores.js'

const ROUTES = [
  ['GET', FACTOR, undefined],
  ['POST', SET_UP, { password: PASSWORD }],
  ['POST', CONFIRM, { code: '123456' }],
  ['POST', REMOVE, { password: PASSWORD, code: '123456' }],
] as const

const general = (type: string, message: string): ExpectedMessage => ({ message, field: '', type })
const WHILE_ACTING = general('Forbidden', 'This is not possible while you act as somebody else.')
const NOT_PERMITTED = general('Forbidden', 'This action is not granted to you.')
const notValid = (field: string) => ({ message: 'not-valid', field, type: 'NotValid' })
const required = (field: string) => ({ message: 'required', field, type: 'Required' })
const mustBeString = (field: string) => ({ message: 'must be a string', field, type: 'Format' })
const conflict = (message: string) => ({ message, field: '', type: 'Conflict' })

/** The one reply, and no cookie. */
function expectRefusal(reply: Reply, status: number, ...messages: readonly ExpectedMessage[]): void {
  expect(reply.json).to.deep.equal(loggedOut(status, ...messages))
  expect(reply.status).to.equal(status)
  expect(setCookies(reply)).to.deep.equal([])
}

describe('the routes of a second factor', () => {
  const serve = servicesOfTests()
  let service: TestService
  before(async () => {
    service = await startService()
  })
  beforeEach(() => {
    service.clock.now = START
  })
  after(() => service.close())

  const send = (browser: Browser, method: string, path: string, json: unknown) =>
    browser.send(method, path, json === undefined ? {} : { json })

  for (const [method, path, json] of ROUTES) {
    it(`${method} ${path} is 401 where nothing is presented, whatever the body is`, async () => {
      for (const call of [json === undefined ? {} : { json }, { body: 'x=1' }, {}])
        expectInvalidToken(await service.client.call(method, path, method === 'GET' ? {} : call))
    })

    itWithSessions(`${method} ${path} is 401 where half of the credentials is missing`, async () => {
      const browser = await newcomer(service)
      const { cookie, accessToken } = browser.held()
      for (const half of [{ cookie }, { accessToken }]) {
        const call = { headers: credentials(half), ...(json !== undefined && { json }) }
        expectInvalidToken(await service.client.call(method, path, call))
      }
      expect((await browser.getIdentity()).status).to.equal(200)
    })

    itWithSessions(`${method} ${path} is 401 with credentials of two logins`, async () => {
      const [one, other] = [await newcomer(service), await newcomer(service)]
      const mixed = { cookie: one.held().cookie, accessToken: other.held().accessToken }
      const call = { headers: credentials(mixed), ...(json !== undefined && { json }) }
      expectInvalidToken(await service.client.call(method, path, call))
    })

    it(`${method} ${path} is 401 without a login that is active`, async () => {
      const browser = await newcomer(service)
      const held = browser.held()
      await browser.logout()
      const call = { headers: credentials(held), ...(json !== undefined && { json }) }
      expectInvalidToken(await service.client.call(method, path, call))
    })

    it(`${method} ${path} is 403 while acting as another account`, async () => {
      const { browser, target } = await impersonation(service)
      expectRefusal(await send(browser, method, path, json), 403, WHILE_ACTING)
      expect(viewOf(await target.send('GET', FACTOR))['secondFactor']).to.have.property('active', false)
    })

    it(`${method} ${path} is 403 without the permission`, async () => {
      const { user: _, ...roles } = DEFAULT_PERMISSIONS.roles
      const closed = await serve({ permissions: { roles } })
      const browser = await newcomer(closed)
      expectRefusal(await send(browser, method, path, json), 403, NOT_PERMITTED)
    })

    it(`${method} ${path} is 405 by another method`, async () => {
      const reply = await (await newcomer(service)).send('PUT', path, { json: {} })
      expect([reply.status, reply.headers.allow]).to.deep.equal([
        405,
        method === 'GET' ? 'HEAD, GET' : 'POST',
      ])
    })
  }

  for (const [method, path] of ROUTES.slice(1)) {
    it(`${method} ${path} is 415 as text and as a form`, async () => {
      const browser = await newcomer(service)
      for (const type of ['text/plain', 'application/x-www-form-urlencoded']) {
        const reply = await browser.send(method, path, { headers: { 'Content-Type': type }, body: '{}' })
        expect(reply.status, type).to.equal(415)
      }
    })
  }

  for (const [path, fields] of [
    [SET_UP, ['password']],
    [CONFIRM, ['code']],
    [REMOVE, ['password', 'code']],
  ] as const) {
    it(`POST ${path} names every field that is missing or of a wrong type`, async () => {
      const browser = await newcomer(service)
      expectRefusal(await browser.send('POST', path, { json: {} }), 400, ...fields.map(required))
      const empty = Object.fromEntries(fields.map((field) => [field, '']))
      expectRefusal(await browser.send('POST', path, { json: empty }), 400, ...fields.map(required))
      for (const wrong of [1, null, ['123456'], { $ne: '' }]) {
        const json = Object.fromEntries(fields.map((field) => [field, wrong]))
        expectRefusal(await browser.send('POST', path, { json }), 400, ...fields.map(mustBeString))
      }
    })
  }

  it('take no wrong password for a set-up, and keep what was set up before', async () => {
    const browser = await newcomer(service)
    expectRefusal(await setUp(browser, 'wrong'), 400, notValid('password'))
    expectRefusal(
      await browser.send('POST', CONFIRM, { json: { code: '123456' } }),
      409,
      conflict('Set up a second factor first.'),
    )
  })

  it('take no wrong code for a confirmation', async () => {
    const browser = await newcomer(service)
    await setUp(browser)
    for (const code of ['12345', 'abcdef', 'AAAA-AAAA-AAAA-AAAA', '1'.repeat(10_000)])
      expectRefusal(await browser.send('POST', CONFIRM, { json: { code } }), 400, notValid('code'))
    expect(viewOf(await browser.send('GET', FACTOR))['secondFactor']).to.have.property('active', false)
  })

  it('confirm nothing that was set up more than an hour ago, nor what was set up before something else', async () => {
    const [late, twice] = [await newcomer(service), await newcomer(service)]
    const secret = String(viewOf(await setUp(late))['secret'])
    const first = String(viewOf(await setUp(twice))['secret'])
    await setUp(twice)
    const code = oneTimeCode(first, service.clock.now)
    expectRefusal(await twice.send('POST', CONFIRM, { json: { code } }), 400, notValid('code'))
    service.clock.now += 3_600_000
    await late.refresh()
    const json = { code: oneTimeCode(secret, service.clock.now) }
    const refused = conflict('Set up a second factor first.')
    expectRefusal(await late.send('POST', CONFIRM, { json }), 409, refused)
  })

  it('set up nothing beside an active factor, and confirm none twice', async () => {
    const account = await guarded(service)
    expectRefusal(await setUp(account), 409, conflict('A second factor is active: remove it first.'))
    const json = { code: account.code(1) }
    expectRefusal(
      await account.send('POST', CONFIRM, { json }),
      409,
      conflict('A second factor is active already.'),
    )
  })

  it('remove nothing with a wrong password or code, nor where there is none', async () => {
    const account = await guarded(service)
    service.clock.now += 10 * STEP
    const remove = (password: string, code: string) =>
      account.send('POST', REMOVE, { json: { password, code } })
    expectRefusal(await remove('wrong', account.code()), 400, notValid('password'))
    expectRefusal(await remove(PASSWORD, account.code(5)), 400, notValid('code'))
    expectRefusal(await remove(PASSWORD, 'AAAA-AAAA-AAAA-AAAA'), 400, notValid('code'))
    expect((await remove(PASSWORD, account.code())).status, 'the code was not spent').to.equal(200)
    expectRefusal(await remove(PASSWORD, account.code(1)), 409, conflict('No second factor is active.'))
  })

  it('take a code of any type but text for no code at a login', async () => {
    const account = await guarded(service)
    for (const code of [123456, null, ['123456'], { $gt: '' }]) {
      const json = { email: account.email, password: PASSWORD, code }
      const reply = await service.client.call('POST', LOGIN, { json })
      expectRefusal(reply, 400, mustBeString('code'))
    }
  })
})

for (const { name, open } of STORES) {
  describe(`the routes of a second factor while the ${name} store is away`, () => {
    const serve = servicesOfTests()
    const opened = storesOfTests()

    it('are 503 and give no cookie', async () => {
      const { store } = await opened(open)
      const service = await serve({ store })
      const browser = await newcomer(service)
      await store.close()
      for (const [method, path, json] of ROUTES) {
        const reply = await browser.send(method, path, json === undefined ? {} : { json })
        expect([reply.status, reply.json], path).to.deep.equal([503, UNAVAILABLE])
        expect(setCookies(reply), path).to.deep.equal([])
      }
    })
  })
}
