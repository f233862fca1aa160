import { expect } from 'chai'
import { OPERATOR } from '../../../src/domain/access/caller.js'
import type { AccountId } from '../../../src/domain/identity/account.js'
import type { Call, Reply } from '../../support/http/client.js'
import { startService, type TestService } from '../../support/http/service.js'
import { itWithSessions } from '../../support/http/modes.js'
import {
  actingAs,
  expectAlive,
  impersonation,
  LOGIN_AS,
  loginAs,
  LOGOUT_AS,
  type Newcomer,
} from '../../support/http/acting.js'
import { createBrowser, credentials, identityWith, newcomer, setCookies } from '../../support/http/browser.js'
import { expectInvalidToken, loggedOut, type ExpectedMessage } from '../../support/http/expected.js'
import { STORES, type OpenedStore } from '../../support/stores.js'

const general = (type: string, message: string): ExpectedMessage => ({ message, field: '', type })
const ofUserId = (type: string, message: string): ExpectedMessage => ({ message, field: 'userId', type })

const NOT_PERMITTED = general('Forbidden', 'This action is not granted to you.')
const ACTS_ALREADY = general('Forbidden', 'You act as somebody else already.')
const NO_ACCOUNT = ofUserId('NotFound', 'There is no such account, or it is disabled.')
const OWN_ACCOUNT = ofUserId('NotValid', 'This is your own account.')
const ADMINISTRATOR = ofUserId('Forbidden', 'Nobody can act as an administrator.')
const OTHER_METHOD = general('Format', 'This method is not allowed here; see the Allow header.')
const OTHER_TYPE = general('Format', 'The body must be application/json in UTF-8.')
const NO_OBJECT = general('Format', 'The body must be a JSON object.')
const NO_BODY = general('Format', 'A JSON object is required as the body.')

/** The one reply, and no cookie. */
function expectRefusal(reply: Reply, status: number, message: ExpectedMessage): void {
  expect(reply.json).to.deep.equal(loggedOut(status, message))
  expect(reply.status).to.equal(status)
  expect(setCookies(reply)).to.deep.equal([])
}

for (const { name, open } of STORES) {
  describe(`login-as on the ${name} store`, () => {
    let opened: OpenedStore
    let service: TestService
    let admin: Newcomer
    let target: Newcomer
    before(async () => {
      opened = await open()
      service = await startService({ store: opened.store })
    })
    beforeEach(async () => {
      admin = await newcomer(service, ['admin'])
      target = await newcomer(service)
    })
    after(async () => {
      await service.close()
      await opened.remove()
    })

    /** The client holds what it held, that is good for everything, and no session acts as the target. */
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

    it('refuses with 403 who is not permitted it', async () => {
      const browser = await newcomer(service, ['project-editor'])
      const held = browser.held()
      expectRefusal(await loginAs(browser, target.id), 403, NOT_PERMITTED)
      await expectAlive(service, held)
      await expectUnchanged()
    })

    it('tells who is not permitted it the same for every account', async () => {
      const browser = await newcomer(service)
      for (const id of [target.id, admin.id, browser.id, 2 ** 40])
        expectRefusal(await loginAs(browser, id), 403, NOT_PERMITTED)
    })

    it('refuses an account that is not there, is disabled or was deleted with 404', async () => {
      const [disabled, deleted] = [await newcomer(service), await newcomer(service)]
      await service.useCases.disableUser({ caller: OPERATOR, email: disabled.email })
      await service.useCases.deleteUser({ caller: OPERATOR, email: deleted.email })
      for (const id of [disabled.id, deleted.id, 2 ** 40, Number.MAX_SAFE_INTEGER])
        expectRefusal(await loginAs(admin, id), 404, NO_ACCOUNT)
      await expectUnchanged()
    })

    it('takes an account that was disabled and is enabled again', async () => {
      await service.useCases.disableUser({ caller: OPERATOR, email: target.email })
      await service.useCases.enableUser({ caller: OPERATOR, email: target.email })
      const reply = await loginAs(admin, target.id)
      expect(reply.status).to.equal(200)
      expect((await admin.getIdentity()).json).to.deep.equal(actingAs(target, admin))
    })

    it('refuses oneself with 400', async () => {
      expectRefusal(await loginAs(admin, admin.id), 400, OWN_ACCOUNT)
      await expectUnchanged()
    })

    it('refuses who is permitted it with 403, disabled or not there before that', async () => {
      const other = await newcomer(service, ['admin'])
      expectRefusal(await loginAs(admin, other.id), 403, ADMINISTRATOR)
      await service.useCases.disableUser({ caller: OPERATOR, email: other.email })
      expectRefusal(await loginAs(admin, other.id), 404, NO_ACCOUNT)
      await expectUnchanged()
    })

    it('refuses with 403 who acts as another account, who stays what they are', async () => {
      const acting = await impersonation(service)
      for (const id of [target.id, acting.admin.id, acting.target.id])
        expectRefusal(await loginAs(acting.browser, id), 403, ACTS_ALREADY)
      expect((await acting.browser.getIdentity()).json).to.deep.equal(actingAs(acting.target, acting.admin))
      await expectUnchanged()
    })

    for (const [what, userId] of [
      ['a text', (id: number) => String(id)],
      ['0', () => 0],
      ['-1', () => -1],
      ['1.5', () => 1.5],
      ['2^53', () => 2 ** 53],
      ['null', () => null],
      ['true', () => true],
      ['a list', (id: number) => [id]],
      ['an object', (id: number) => ({ $gt: id })],
      ['missing', () => undefined],
    ] as const) {
      it(`refuses a userId that is ${what} with 400`, async () => {
        const reply = await loginAs(admin, userId(target.id))
        expect(reply.status).to.equal(400)
        const messages = (reply.json as ReturnType<typeof loggedOut>).view.messages
        const [type, message] =
          what === 'missing' ? ['Required', 'required'] : ['Format', 'must be a positive integer']
        expect(messages).to.deep.equal([{ field: 'userId', type, message, code: 400 }])
        expect(reply.json).to.deep.equal(loggedOut(400, messages[0]!))
        expect(setCookies(reply)).to.deep.equal([])
        await expectUnchanged()
      })
    }

    const bodies: readonly (readonly [string, number, ExpectedMessage, Call])[] = [
      ['text/plain', 415, OTHER_TYPE, { headers: { 'Content-Type': 'text/plain' }, body: '{"userId":1}' }],
      [
        'a form',
        415,
        OTHER_TYPE,
        { headers: { 'Content-Type': 'application/x-www-form-urlencoded' }, body: 'userId=1' },
      ],
      ['an array', 400, NO_OBJECT, { json: [1] }],
      ['no body', 400, NO_BODY, {}],
    ]
    for (const [what, status, message, call] of bodies) {
      it(`refuses ${what} with ${status}`, async () => {
        expectRefusal(await admin.send('POST', LOGIN_AS, call), status, message)
        await expectUnchanged()
      })
    }

    for (const path of [LOGIN_AS, LOGOUT_AS]) {
      it(`answers GET and HEAD ${path} with 405`, async () => {
        expectRefusal(await admin.send('GET', path), 405, OTHER_METHOD)
        const reply = await admin.send('HEAD', path)
        expect([reply.status, reply.text, reply.headers.allow]).to.deep.equal([405, '', 'POST'])
        await expectUnchanged()
      })

      it(`answers ${path} with 401 where nothing is presented, whatever the body is`, async () => {
        for (const call of [{ json: { userId: target.id } }, { json: {} }, { body: 'userId=1' }, {}])
          expectInvalidToken(await service.client.call('POST', path, call))
        await expectUnchanged()
      })

      itWithSessions(`answers ${path} with 401 where half of the credentials is missing`, async () => {
        const acting = await impersonation(service)
        for (const held of [admin.held(), acting.browser.held()]) {
          const { cookie, accessToken } = held
          for (const half of [{ cookie }, { accessToken }]) {
            const call = { headers: credentials(half), json: { userId: target.id } }
            expectInvalidToken(await service.client.call('POST', path, call))
          }
          await expectAlive(service, held)
        }
        await expectUnchanged()
      })
    }

    itWithSessions('takes no cookie and token of different logins, and ends neither', async () => {
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
}
