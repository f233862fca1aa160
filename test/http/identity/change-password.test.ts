import { expect } from 'chai'
import type { AccountId } from '../../../src/domain/identity/account.js'
import { DEFAULT_PERMISSIONS } from '../../../src/domain/access/permissions.js'
import { expectAlive, expectDead, impersonation, loginAs } from '../../support/http/acting.js'
import {
  CHANGE_PASSWORD as PATH,
  createBrowser,
  credentials,
  END_SESSIONS,
  envelopeOf,
  identityWith,
  keep,
  newcomer,
  refreshWith,
  sessionIdOf,
  setCookies,
  type Browser,
} from '../../support/http/browser.js'
import type { Reply } from '../../support/http/client.js'
import {
  comparable,
  expectInvalidToken,
  loggedIn,
  loggedOut,
  LOGIN_FAILED,
  UNAVAILABLE,
} from '../../support/http/expected.js'
import { itWithSessions } from '../../support/http/modes.js'
import { NEW_PASSWORD, resettingsOfTests } from '../../support/http/resetting.js'
import { PASSWORD, startService, STATELESS, type TestService } from '../../support/http/service.js'
import { servicesOfTests } from '../../support/http/services.js'
import { STORES, type OpenedStore } from '../../support/stores.js'

const NEW = 'the stable door is open'
const WRONG = loggedOut(400, { message: 'not-valid', field: 'password', type: 'NotValid' })
const WIDTH = 16

const change = (browser: Browser, password: unknown = PASSWORD, newPassword: unknown = NEW): Promise<Reply> =>
  browser.send('POST', PATH, { json: { password, newPassword } })

for (const { name, open } of STORES) {
  describe(`the change of one’s own password on the ${name} store`, () => {
    const serve = servicesOfTests()
    const startResetting = resettingsOfTests()
    let opened: OpenedStore
    let service: TestService
    before(async () => {
      opened = await open()
      service = await startService({ store: opened.store })
    })
    after(async () => {
      await service.close()
      await opened.remove()
    })

    it('gives a new login in the place of this one, and ends all others of the account', async () => {
      const browser = await newcomer(service, ['admin'])
      const { id, email } = browser
      const before = browser.held()
      const elsewhere = createBrowser(service, email)
      await elsewhere.login()
      const other = await newcomer(service)
      const reply = await change(browser)
      const { accessToken: jwt, refreshToken } = browser.held()
      const { roleList } = envelopeOf(reply).view
      const expected = loggedIn({ id, email }, roleList)
      expect(reply.json).to.deep.equal({ ...expected, view: { ...expected.view, jwt, refreshToken } })
      expect(Object.keys(roleList)).to.deep.equal(['admin'])
      expect(setCookies(reply)).to.have.length(STATELESS ? 0 : 1)
      expect(sessionIdOf(jwt)).to.not.equal(sessionIdOf(before.accessToken))
      expect((await browser.getIdentity()).json).to.deep.equal(expected)
      await expectDead(service, before, 'what was held before')
      await expectDead(service, elsewhere.held(), 'another login of the account')
      await expectAlive(service, other.held(), 'a login of another account')
      expect((await browser.refresh()).status).to.equal(200)
      expect((await createBrowser(service, email).login()).json).to.deep.equal(LOGIN_FAILED)
      expect((await createBrowser(service, email).login(NEW)).status).to.equal(200)
    })

    it('ends what an administrator does as the account, and what the account does as another one', async () => {
      const { browser: acting, target } = await impersonation(service)
      expect((await change(target)).status).to.equal(200)
      await expectDead(service, acting.held(), 'the administrator who acts as the account')
      const admin = await newcomer(service, ['admin'])
      const elsewhere = createBrowser(service, admin.email)
      await elsewhere.login()
      expect((await loginAs(elsewhere, target.id)).status).to.equal(200)
      expect((await change(admin)).status).to.equal(200)
      await expectDead(service, elsewhere.held(), 'the account acting as another one')
      for (const kept of [target, admin]) await expectAlive(service, kept.held())
    })

    itWithSessions('leaves one session, which ends when the one before would have', async () => {
      const browser = await newcomer(service)
      const at = service.clock.now
      const page = () =>
        service.store.sessions.pageOf({
          accountId: browser.id as AccountId,
          limit: 10,
          at: service.clock.now,
        })
      const [first] = await page()
      service.clock.now += 60_000
      await change(browser)
      const [second, ...others] = await page()
      expect(others).to.deep.equal([])
      expect([second?.createdAt, second?.endsAt]).to.deep.equal([at + 60_000, first?.endsAt])
    })

    it('is refused without an identity, before anything else', async () => {
      const json = { password: PASSWORD, newPassword: NEW }
      expectInvalidToken(await service.client.call('POST', PATH, { json }))
      expectInvalidToken(await service.client.call('POST', PATH, { body: '{' }))
    })

    itWithSessions('is refused with half of the credentials, which ends nothing', async () => {
      const browser = await newcomer(service)
      const { cookie, accessToken } = browser.held()
      const json = { password: PASSWORD, newPassword: NEW }
      for (const half of [{ cookie }, { accessToken }])
        expectInvalidToken(await service.client.call('POST', PATH, { headers: credentials(half), json }))
      const { cookie: foreign } = (await newcomer(service)).held()
      const mixed = credentials({ cookie: foreign, accessToken })
      expectInvalidToken(await service.client.call('POST', PATH, { headers: mixed, json }))
      await expectAlive(service, browser.held())
    })

    it('is refused while acting as another account', async () => {
      const { browser } = await impersonation(service)
      const reply = await change(browser)
      expect(reply.status).to.equal(403)
      expect(reply.json).to.deep.equal(
        loggedOut(403, {
          message: 'This is not possible while you act as somebody else.',
          field: '',
          type: 'Forbidden',
        }),
      )
      await expectAlive(service, browser.held())
    })

    it('is refused where the permission file does not give it', async () => {
      const { user: _, ...roles } = DEFAULT_PERMISSIONS.roles
      const strict = await serve({ store: opened.store, permissions: { roles } })
      const browser = await newcomer(strict)
      expect((await change(browser)).status).to.equal(403)
      await expectAlive(strict, browser.held())
    })

    it('is refused for a wrong password, in the same bytes whatever it is, and changes nothing', async () => {
      const browser = await newcomer(service)
      const replies: Reply[] = []
      for (const password of ['a wrong password', `${PASSWORD} `, 'x'.repeat(2_000)])
        replies.push(await change(browser, password))
      for (const reply of replies) {
        expect(reply.json).to.deep.equal(WRONG)
        expect(comparable(reply)).to.deep.equal(comparable(replies[0] as Reply))
      }
      await expectAlive(service, browser.held())
      expect((await createBrowser(service, browser.email).login()).status).to.equal(200)
    })

    it('is refused with every broken rule at once, and in the form that it needs', async () => {
      const browser = await newcomer(service)
      const empty = await browser.send('POST', PATH, { json: {} })
      const { messages } = envelopeOf(empty).view
      expect(empty.status).to.equal(400)
      expect(messages.map(({ field, message }) => `${field} ${message}`)).to.deep.equal([
        'password required',
        'newPassword required',
      ])
      for (const json of [{ password: 7, newPassword: NEW }, { password: PASSWORD, newPassword: [NEW] }, []])
        expect((await browser.send('POST', PATH, { json })).status, JSON.stringify(json)).to.equal(400)
      const plain = { headers: { 'Content-Type': 'text/plain' }, body: '{}' }
      expect((await browser.send('POST', PATH, plain)).status).to.equal(415)
      for (const next of ['short', 'password1', PASSWORD, 'x'.repeat(1_025)])
        expect((await change(browser, PASSWORD, next)).status, next.slice(0, 9)).to.equal(400)
      await expectAlive(service, browser.held())
    })

    it(`of ${WIDTH} at once is done once`, async () => {
      const browser = await newcomer(service)
      const held = browser.held()
      const replies = await Promise.all(
        Array.from({ length: WIDTH }, (_, n) =>
          service.client.call('POST', PATH, {
            headers: credentials(held),
            json: { password: PASSWORD, newPassword: `${NEW} ${n}` },
          }),
        ),
      )
      const done = replies.filter(({ status }) => status === 200)
      const others = replies.filter(({ status }) => ![200, 400, 401].includes(status))
      expect([done.length, others.map(({ text }) => text)]).to.deep.equal([1, []])
      const winner = replies.findIndex(({ status }) => status === 200)
      await expectAlive(service, keep({}, replies[winner] as Reply))
      await expectDead(service, held)
      for (const [n, right] of [
        [winner, 200],
        [(winner + 1) % WIDTH, 401],
      ] as const)
        expect((await createBrowser(service, browser.email).login(`${NEW} ${n}`)).status).to.equal(right)
    })

    it('that races refreshes leaves nothing of the previous logins', async () => {
      const browser = await newcomer(service)
      const held = browser.held()
      const refreshes = Array.from({ length: 6 }, () => refreshWith(service, held))
      const [reply, ...moved] = await Promise.all([change(browser), ...refreshes])
      for (const one of moved.filter(({ status }) => status === 200))
        await expectDead(service, keep(held, one))
      if (reply.status === 200) await expectAlive(service, browser.held())
      else expect(reply.status).to.equal(401)
    })

    it('that races logins leaves none that was made with the previous password', async () => {
      const browser = await newcomer(service)
      const others = Array.from({ length: WIDTH }, () => createBrowser(service, browser.email))
      const logins = others.map((other) => () => other.login())
      const [reply, ...replies] = await Promise.all([
        ...logins.slice(0, WIDTH / 2).map((login) => login()),
        change(browser),
        ...logins.slice(WIDTH / 2).map((login) => login()),
      ]).then((all) => [...all.splice(WIDTH / 2, 1), ...all])
      expect(reply?.status).to.equal(200)
      for (const { status } of replies) expect(status).to.be.oneOf([200, 401])
      for (const [index, { status }] of replies.entries())
        if (status === 200) await expectDead(service, (others[index] as Browser).held())
      await expectAlive(service, browser.held())
    })

    it('that races a reset leaves the one password of whichever was first', async () => {
      const resets = await startResetting({ store: opened.store })
      const browser = await newcomer(resets.service)
      const held = browser.held()
      const token = await resets.mailedToken(browser.email)
      const [reset, ...changes] = await Promise.all([
        resets.consume(browser.email, token),
        ...Array.from({ length: 4 }, () =>
          resets.service.client.call('POST', PATH, {
            headers: credentials(held),
            json: { password: PASSWORD, newPassword: NEW },
          }),
        ),
      ])
      const done = changes.filter(({ status }) => status === 200)
      expect(done.length + (reset.status === 200 ? 1 : 0)).to.equal(1)
      await expectDead(resets.service, held)
      for (const [password, isRight] of [
        [NEW, done.length === 1],
        [NEW_PASSWORD, reset.status === 200],
        [PASSWORD, false],
      ] as const) {
        const { status } = await createBrowser(resets.service, browser.email).login(password)
        expect(status, password).to.equal(isRight ? 200 : 401)
      }
    })

    itWithSessions(
      'that races the end of all other sessions leaves nothing of the previous logins',
      async () => {
        const browser = await newcomer(service)
        const held = browser.held()
        const other = createBrowser(service, browser.email)
        await other.login()
        const ends = Array.from({ length: 8 }, () =>
          service.client.call('POST', END_SESSIONS, {
            headers: credentials(other.held()),
            json: { others: true },
          }),
        )
        const [reply, ...ended] = await Promise.all([change(browser), ...ends])
        for (const { status } of [reply, ...ended]) expect(status).to.be.oneOf([200, 401])
        await expectDead(service, held)
        if (reply.status === 200) await expectDead(service, other.held())
        else await expectAlive(service, other.held())
      },
    )

    it('counts wrong passwords as logins are, however many come at once', async () => {
      const limited = await serve({ store: opened.store, loginLimit: { count: 5, window: 900_000 } })
      const browser = await newcomer(limited)
      const replies = await Promise.all(Array.from({ length: WIDTH }, () => change(browser, 'a wrong one')))
      const statuses = replies.map(({ status }) => status).sort()
      expect(statuses).to.deep.equal(Array.from({ length: WIDTH }, (_, n) => (n < 5 ? 400 : 429)))
      for (const reply of replies.filter(({ status }) => status === 429))
        expect(Number(reply.headers['retry-after'])).to.be.within(1, 900)
      expect((await change(browser)).status).to.equal(429)
      expect((await createBrowser(limited, browser.email).login()).status).to.equal(429)
      limited.clock.now += 900_000
      expect((await browser.refresh()).status).to.equal(200)
      expect((await change(browser)).status).to.equal(200)
    })

    it('is 503 where the store is away, and no cookie is touched', async () => {
      const own = await open()
      const cut = await serve({ store: own.store })
      const browser = await newcomer(cut)
      await own.store.close()
      const reply = await change(browser)
      expect([reply.status, reply.json, setCookies(reply)]).to.deep.equal([503, UNAVAILABLE, []])
      await own.remove()
    })
  })
}

describe('the change of one’s own password in stateless mode', () => {
  const serve = servicesOfTests()

  for (const mode of ['stateless', 'stateless-revocable'] as const)
    it(`gives a new pair, and no cookie: ${mode}`, async () => {
      const service = await serve({ mode })
      const browser = await newcomer(service)
      const before = browser.held()
      const reply = await change(browser)
      expect([reply.status, setCookies(reply)]).to.deep.equal([200, []])
      expect((await browser.getIdentity()).status).to.equal(200)
      expect((await browser.refresh()).status).to.equal(200)
      expectInvalidToken(await refreshWith(service, before))
      // Without revocations an access token is good until it expires, and opens this no more.
      const identity = await identityWith(service, before)
      expect(identity.status).to.equal(mode === 'stateless' ? 200 : 401)
      const again = await service.client.call('POST', PATH, {
        headers: credentials(before),
        json: { password: NEW, newPassword: PASSWORD },
      })
      expectInvalidToken(again)
    })
})
