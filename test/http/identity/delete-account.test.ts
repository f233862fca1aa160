import { expect } from 'chai'
import type { AccountId } from '../../../src/domain/identity/account.js'
import { DEFAULT_PERMISSIONS, type PermissionRules } from '../../../src/domain/access/permissions.js'
import { unavailable } from '../../../src/domain/refusal.js'
import type { Call, Reply } from '../../support/http/client.js'
import { PASSWORD, STATELESS, type TestOptions, type TestService } from '../../support/http/service.js'
import {
  createBrowser,
  credentials,
  identityWith,
  newcomer,
  refreshWith,
  setCookies,
  type Browser,
  type Held,
} from '../../support/http/browser.js'
import { expectInvalidToken, loggedOut, LOGIN_FAILED, UNAVAILABLE } from '../../support/http/expected.js'
import { guarded } from '../../support/http/factor.js'
import { impersonation } from '../../support/http/acting.js'
import { rounds } from '../../support/http/modes.js'
import { servicesOfTests } from '../../support/http/services.js'
import { STORES, storesOfTests } from '../../support/stores.js'

const DELETE = '/api/auth/delete-account'
const WIDTH = 16
const ROUNDS = rounds(50)

/** The built-in rules, and every user may delete the own account. */
const PERMITTED: PermissionRules = {
  roles: {
    ...DEFAULT_PERMISSIONS.roles,
    user: {
      components: {
        ...DEFAULT_PERMISSIONS.roles['user']?.components,
        auth: ['delete-account', 'second-factor'],
      },
    },
    admin: {
      components: { auth: ['login-as', 'logout-as'] },
      inherit: ['project-editor'],
    },
  },
}

const NOT_VALID = loggedOut(400, { message: 'not-valid', field: 'password', type: 'NotValid' })

const deleteWith = (
  service: TestService,
  held: Held,
  json: unknown = { password: PASSWORD },
  call: Call = {},
) =>
  service.client.call('POST', DELETE, { json, ...call, headers: { ...credentials(held), ...call.headers } })

const deleteBy = (browser: Browser, json: unknown = { password: PASSWORD }) =>
  browser.send('POST', DELETE, { json })

describe('deleting the own account', () => {
  const start = servicesOfTests()
  const serve = (options: TestOptions = {}) => start({ permissions: PERMITTED, ...options })

  it('takes it away with everything that proves it, and logs out', async () => {
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

  it('leaves the id alone in the audit log, and nothing of another account is touched', async () => {
    const service = await serve()
    const [browser, other] = [await newcomer(service), await newcomer(service)]
    await deleteBy(browser, { password: 'a wrong one' })
    expect((await deleteBy(browser)).status).to.equal(200)
    const recordsOf = (id: number) => service.store.audit.page({ accountId: id as AccountId, limit: 100 })
    const left = await recordsOf(browser.id)
    expect(left.map(({ event, outcome }) => `${event} ${outcome}`)).to.deep.equal([
      'user.create success',
      'login success',
      'account.delete failure',
      'account.delete success',
    ])
    const subject = `account:${browser.id}`
    for (const record of left) {
      expect(record).to.not.have.any.keys('address', 'requestId')
      expect(record.subject).to.equal(subject)
    }
    expect(left.at(-1)).to.include({ actor: subject, outcome: 'success' })
    expect((await recordsOf(other.id)).at(-1)).to.include.keys('address', 'requestId')
    expect((await other.getIdentity()).status).to.equal(200)
  })

  it('takes mails along that wait for its address', async () => {
    const service = await serve()
    const [browser, other] = [await newcomer(service), await newcomer(service)]
    for (const [rank, { email }] of [browser, other].entries()) {
      const job = { id: `${rank}`, kind: 'reset-password', email, askedAt: 0, attempts: 0 } as const
      await service.store.mailQueue.enqueue(job as never, 10)
    }
    await deleteBy(browser)
    const waiting = await service.store.mailQueue.waiting(undefined, service.clock.now, 10)
    expect(waiting.map(({ email }) => email)).to.deep.equal([other.email])
  })

  it('is refused with a wrong password, none, and one that is not text, and changes nothing', async () => {
    const service = await serve()
    const browser = await newcomer(service)
    const wrong = await deleteBy(browser, { password: `${PASSWORD} ` })
    expect([wrong.status, wrong.json]).to.deep.equal([400, NOT_VALID])
    const required = { message: 'required', field: 'password', type: 'Required' }
    for (const json of [{}, { password: '' }])
      expect((await deleteBy(browser, json)).json).to.deep.equal(loggedOut(400, required))
    const text = { message: 'must be a string', field: 'password', type: 'Format' }
    for (const password of [7, null, [PASSWORD], { $ne: '' }])
      expect((await deleteBy(browser, { password })).json).to.deep.equal(loggedOut(400, text))
    expect((await browser.getIdentity()).status).to.equal(200)
  })

  it('needs a code where a second factor is active, of which five may be wrong though logins are not limited', async () => {
    const service = await serve()
    const account = await guarded(service)
    const missing = await deleteBy(account)
    const required = { message: 'required', field: 'code', type: 'Required' }
    expect([missing.status, missing.json]).to.deep.equal([400, loggedOut(400, required)])
    const statuses: number[] = []
    for (let guess = 0; guess < 6; guess += 1)
      statuses.push((await deleteBy(account, { password: PASSWORD, code: `wrong code ${guess}` })).status)
    expect(statuses).to.deep.equal([400, 400, 400, 400, 400, 429])
    service.clock.now += 900_000
    const reply = await deleteBy(account, { password: PASSWORD, code: account.code() })
    expect([reply.status, reply.json]).to.deep.equal([200, loggedOut(200)])
  })

  it('counts a wrong password like a login, and costs one hash', async () => {
    let hashes = 0
    const service = await serve({
      loginLimit: { count: 3, window: 900_000 },
      aroundHasher: (hasher) => ({
        ...hasher,
        verify: (...given) => {
          hashes += 1
          return hasher.verify(...given)
        },
      }),
    })
    const browser = await newcomer(service)
    hashes = 0
    const guesses = Array.from({ length: 10 }, (_, n) =>
      deleteWith(service, browser.held(), { password: `wrong ${n}` }),
    )
    const statuses = (await Promise.all(guesses)).map(({ status }) => status).sort()
    expect(statuses).to.deep.equal([...Array<number>(3).fill(400), ...Array<number>(7).fill(429)])
    expect(hashes).to.equal(3)
    expect((await createBrowser(service, browser.email).login()).status).to.equal(429)
    expect((await deleteBy(browser)).status).to.equal(429)
    service.clock.now += 900_000
    expect((await deleteBy(browser)).status).to.equal(200)
  })

  it('needs an identity, whole: without, with half of it, and with that of a session that has ended', async () => {
    const service = await serve()
    const browser = await newcomer(service)
    const { cookie, accessToken } = browser.held()
    expect((await deleteWith(service, {})).status).to.equal(401)
    if (!STATELESS) {
      expectInvalidToken(await deleteWith(service, { cookie }))
      expectInvalidToken(await deleteWith(service, { accessToken }))
    }
    const other = await newcomer(service)
    const held = other.held()
    await other.logout()
    expectInvalidToken(await deleteWith(service, held))
    expect((await browser.getIdentity()).status).to.equal(200)
  })

  it('is not permitted by the built-in rules, to no role', async () => {
    const service = await start({})
    const browser = await newcomer(service, ['admin'])
    for (const json of [{ password: PASSWORD }, {}, { password: 'wrong' }])
      expect((await deleteBy(browser, json)).status).to.equal(403)
    expect((await browser.getIdentity()).status).to.equal(200)
  })

  it('is refused while an administrator acts as the account', async () => {
    const service = await serve()
    const { browser, target } = await impersonation(service)
    for (const password of [PASSWORD, 'wrong'])
      expect((await deleteBy(browser, { password })).status).to.equal(403)
    expect((await target.getIdentity()).status).to.equal(200)
    expect((await browser.getIdentity()).status).to.equal(200)
  })

  it('takes the credentials before the body, and no other method', async () => {
    const service = await serve()
    const browser = await newcomer(service)
    const get = await service.client.call('GET', DELETE, { headers: credentials(browser.held()) })
    expect([get.status, get.headers['allow']]).to.deep.equal([405, 'POST'])
    const call = { headers: { 'Content-Type': 'text/plain' } }
    expect((await deleteWith(service, {}, {}, call)).status).to.equal(401)
    expect((await deleteWith(service, browser.held(), {}, call)).status).to.equal(415)
  })

  it('is 503 while the store is away, and works when it is back', async () => {
    let away = false
    const service = await serve({
      aroundStore: (store) => ({
        ...store,
        accounts: {
          ...store.accounts,
          remove: async (...given) => {
            if (away) throw unavailable('away')
            return await store.accounts.remove(...given)
          },
        },
      }),
    })
    const browser = await newcomer(service)
    away = true
    const reply = await deleteBy(browser)
    expect([reply.status, reply.json]).to.deep.equal([503, UNAVAILABLE])
    away = false
    expect((await browser.getIdentity()).status).to.equal(200)
    expect((await deleteBy(browser)).status).to.equal(200)
  })
})

for (const { name, open } of STORES) {
  describe(`deletions of one account at once, on the ${name} store`, () => {
    const start = servicesOfTests()
    const opened = storesOfTests()

    it(`have one outcome, ${WIDTH} wide, ${ROUNDS} times`, async () => {
      const { store } = await opened(open)
      const service = await start({ store, permissions: PERMITTED })
      for (let round = 0; round < ROUNDS; round += 1) {
        const browser = await newcomer(service)
        const replies = await Promise.all(
          Array.from({ length: WIDTH }, () => deleteWith(service, browser.held())),
        )
        expect(statusesOf(replies)).to.deep.equal([200, ...Array<number>(WIDTH - 1).fill(401)])
        const records = await store.audit.page({ accountId: browser.id as AccountId, limit: 100 })
        expect(records.filter(({ event }) => event === 'account.delete')).to.have.length(1)
        expect(records.filter((one) => one.address !== undefined)).to.deep.equal([])
      }
    })

    it('against a change of the password do one of the two', async () => {
      const { store } = await opened(open)
      const service = await start({ store, permissions: PERMITTED })
      for (let round = 0; round < 10; round += 1) {
        const browser = await newcomer(service)
        const id = browser.id as AccountId
        const hash = (await store.accounts.find(id))?.passwordHash ?? expect.fail()
        const [reply, changed] = await Promise.all([
          deleteWith(service, browser.held()),
          store.accounts.changePassword({ id, expected: hash, next: `${hash} ` as typeof hash }),
        ])
        const isThere = (await store.accounts.find(id)) !== undefined
        expect([reply.status === 200, changed === undefined]).to.deep.equal([!isThere, !isThere])
      }
    })
  })
}

function statusesOf(replies: readonly Reply[]): readonly number[] {
  return replies.map(({ status }) => status).sort()
}
