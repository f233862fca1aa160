import { expect } from 'chai'
import { OPERATOR } from '../../../src/domain/access/caller.js'
import type { AccountId } from '../../../src/domain/identity/account.js'
import type { Reply } from '../../support/http/client.js'
import { startService, type TestService } from '../../support/http/service.js'
import { itWithSessions } from '../../support/http/modes.js'
import {
  expectAlive,
  impersonation,
  LOGIN_AS,
  loginAs,
  LOGOUT_AS,
  type Newcomer,
} from '../../support/http/acting.js'
import { createBrowser, credentials, identityWith, newcomer, setCookies } from '../../support/http/browser.js'
import { expectInvalidToken, loggedOut, type ExpectedMessage } from '../../support/http/expected.js'

const general = (type: string, message: string): ExpectedMessage => ({ message, field: '', type })
const ofUserId = (type: string, message: string): ExpectedMessage => ({ message, field: 'userId', type })

const NOT_PERMITTED = general('Forbidden', 'This action is not granted to you.')
const NO_ACCOUNT = ofUserId('NotFound', 'There is no such account, or it is disabled.')

/** Expects exactly this reply and no cookie. */
function expectRefusal(reply: Reply, status: number, message: ExpectedMessage): void {
  expect(reply.json).to.deep.equal(loggedOut(status, message))
  expect(reply.status).to.equal(status)
  expect(setCookies(reply)).to.deep.equal([])
}

describe('login-as', () => {
  let service: TestService
  let admin: Newcomer
  let target: Newcomer
  before(async () => {
    service = await startService()
  })
  beforeEach(async () => {
    admin = await newcomer(service, ['admin'])
    target = await newcomer(service)
  })
  after(() => service.close())

  /** The client still holds valid credentials, and no session acts as the target. */
  async function expectUnchanged(held = admin.held()): Promise<void> {
    expect(admin.held()).to.deep.equal(held)
    await expectAlive(service, held)
    expect((await admin.refresh()).status).to.equal(200)
    const [id, at] = [target.id as AccountId, service.clock.now]
    const sessions = await service.store.sessions.pageOf({ accountId: id, limit: 10, at })
    expect(sessions.filter(({ actor }) => actor)).to.deep.equal([])
    const started = await service.store.audit.page({
      accountId: id,
      event: 'impersonation.start',
      limit: 10,
    })
    expect(started).to.deep.equal([])
  }

  it('answers 403 to a caller without the permission', async () => {
    const browser = await newcomer(service, ['project-editor'])
    const held = browser.held()
    expectRefusal(await loginAs(browser, target.id), 403, NOT_PERMITTED)
    await expectAlive(service, held)
    await expectUnchanged()
  })

  it('answers 404 for an unknown, disabled or deleted account', async () => {
    const [disabled, deleted] = [await newcomer(service), await newcomer(service)]
    await service.useCases.disableUser({ caller: OPERATOR, email: disabled.email })
    await service.useCases.deleteUser({ caller: OPERATOR, email: deleted.email })
    for (const id of [disabled.id, deleted.id, 2 ** 40, Number.MAX_SAFE_INTEGER])
      expectRefusal(await loginAs(admin, id), 404, NO_ACCOUNT)
    await expectUnchanged()
  })

  it('answers 400 for a malformed userId', async () => {
    const format = ofUserId('Format', 'must be a positive integer')
    expectRefusal(await loginAs(admin, String(target.id)), 400, format)
    expectRefusal(await loginAs(admin, undefined), 400, ofUserId('Required', 'required'))
    await expectUnchanged()
  })

  itWithSessions('rejects cookie and token of different sessions, and ends neither session', async () => {
    const acting = await impersonation(service)
    const elsewhere = createBrowser(service, acting.admin.email)
    await elsewhere.login()
    const [one, other] = [acting.browser.held(), elsewhere.held()]
    for (const [{ cookie }, { accessToken }] of [
      [one, other],
      [other, one],
      [acting.target.held(), one],
    ] as const) {
      expectInvalidToken(await identityWith(service, { cookie, accessToken }))
      for (const path of [LOGIN_AS, LOGOUT_AS]) {
        const call = { headers: credentials({ cookie, accessToken }), json: { userId: target.id } }
        expectInvalidToken(await service.client.call('POST', path, call))
      }
    }
    for (const browser of [acting.browser, elsewhere, acting.target]) {
      await expectAlive(service, browser.held())
      expect((await browser.refresh()).status).to.equal(200)
    }
    await expectUnchanged()
  })
})
