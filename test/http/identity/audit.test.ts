import { expect } from 'chai'
import { OPERATOR } from '../../../src/domain/access/caller.js'
import type { AuditRecord } from '../../../src/domain/audit.js'
import type { AccountId } from '../../../src/domain/identity/account.js'
import { itWithSessions } from '../../support/http/modes.js'
import { PASSWORD, START, startService, type TestService } from '../../support/http/service.js'
import { newEntriesOf, type Entry } from './audit-reading.js'
import {
  CREATE_PROJECT,
  createBrowser,
  credentials,
  freshEmail,
  GET_IDENTITY,
  LOGIN,
  LOGOUT,
  newcomer,
  PROJECT,
  REFRESH,
  type Held,
} from '../../support/http/browser.js'
import { STORES, type OpenedStore } from '../../support/stores.js'

const GRACE = 10_000
const REQUEST = { 'X-Request-Id': 'audited.request-0001' }

type Said = Pick<AuditRecord, 'event' | 'actor' | 'outcome'> & { subject?: number }

/** The record of a request that a proxy has named. */
function entry({ subject, ...said }: Said, at = START): Entry {
  const accounts = subject === undefined ? [] : [subject as AccountId]
  const of = subject === undefined ? {} : { subject: `account:${subject}` }
  return { at, ...said, ...of, address: '127.0.0.1', requestId: REQUEST['X-Request-Id'], accounts }
}

const failure = (event: AuditRecord['event'], subject?: number, at?: number): Entry =>
  entry({ event, actor: 'anonymous', outcome: 'failure', ...(subject !== undefined && { subject }) }, at)

const success = (event: AuditRecord['event'], id: number): Entry =>
  entry({ event, actor: `account:${id}`, subject: id, outcome: 'success' })

for (const { name, open } of STORES) {
  describe(`the audit log on the ${name} store`, () => {
    let opened: OpenedStore
    let service: TestService
    let newEntries: () => Promise<readonly Entry[]>
    beforeEach(async () => {
      opened = await open()
      service = await startService({
        store: opened.store,
        lifetimes: { refreshGrace: GRACE },
        settings: { trustProxy: 1 },
      })
      newEntries = newEntriesOf(opened.store)
    })
    afterEach(async () => {
      await service.close()
      await opened.remove()
    })

    const logIn = (json: object) => service.client.call('POST', LOGIN, { headers: REQUEST, json })
    const send = (method: string, path: string, held: Held, json?: object) =>
      service.client.call(method, path, { headers: { ...credentials(held), ...REQUEST }, json })
    const refresh = ({ cookie, refreshToken }: Held) => send('POST', REFRESH, { cookie }, { refreshToken })
    /** Nothing that is given here is left unread. */
    const read = async <Guest>(guest: Promise<Guest>) => {
      const arrived = await guest
      await newEntries()
      return arrived
    }

    it('has a login', async () => {
      const email = freshEmail()
      const id = await read(service.account(email))
      expect((await logIn({ email, password: PASSWORD })).status).to.equal(200)
      expect(await newEntries()).to.deep.equal([success('login', id)])
    })

    it('has a login with a wrong password', async () => {
      const email = freshEmail()
      const id = await read(service.account(email))
      expect((await logIn({ email, password: 'wrong' })).status).to.equal(401)
      expect(await newEntries()).to.deep.equal([failure('login', id)])
    })

    it('has a login with an unknown email, and not the email', async () => {
      const email = freshEmail()
      expect((await logIn({ email, password: PASSWORD })).status).to.equal(401)
      expect(await newEntries()).to.deep.equal([failure('login')])
    })

    it('has a login to a disabled account, with the right password too', async () => {
      const email = freshEmail()
      const id = await service.account(email)
      await read(service.useCases.disableUser({ caller: OPERATOR, email }))
      expect((await logIn({ email, password: PASSWORD })).status).to.equal(401)
      expect(await newEntries()).to.deep.equal([failure('login', id)])
    })

    it('has a login to an account without a password', async () => {
      const email = freshEmail()
      await read(service.useCases.importUsers({ caller: OPERATOR })({ email }))
      expect((await logIn({ email, password: PASSWORD })).status).to.equal(401)
      const id = (await opened.store.accounts.findByEmail(email as never))?.id
      expect(await newEntries()).to.deep.equal([failure('login', id)])
    })

    it('has a logout', async () => {
      const browser = await read(newcomer(service))
      expect((await send('POST', LOGOUT, browser.held(), {})).status).to.equal(200)
      expect(await newEntries()).to.deep.equal([success('logout', browser.id)])
    })

    it('has no logout where nothing is presented', async () => {
      expect((await send('POST', LOGOUT, {}, {})).status).to.equal(200)
      expect(await newEntries()).to.deep.equal([])
    })

    it('has one logout of a login that is logged out of twice', async () => {
      const browser = await read(newcomer(service))
      const held = browser.held()
      for (const again of [held, held, { accessToken: held.accessToken }]) {
        expect((await send('POST', LOGOUT, again, {})).status).to.equal(200)
      }
      expect(await newEntries()).to.deep.equal([success('logout', browser.id)])
    })

    itWithSessions('has no refresh, however many there are with one token at a time', async () => {
      const browser = await read(newcomer(service))
      const held = browser.held()
      service.clock.now += GRACE
      const replies = await Promise.all([refresh(held), refresh(held), refresh(held)])
      service.clock.now += GRACE - 1
      replies.push(await refresh(held))
      expect(replies.map(({ status }) => status)).to.deep.equal([200, 200, 200, 200])
      expect(await newEntries()).to.deep.equal([])
    })

    itWithSessions('has a spent refresh token, once', async () => {
      const browser = await read(newcomer(service))
      const held = browser.held()
      await refresh(held)
      service.clock.now += GRACE
      expect((await refresh(held)).status).to.equal(401)
      expect(await newEntries()).to.deep.equal([failure('refresh.reuse', browser.id, START + GRACE)])
      expect((await refresh(held)).status).to.equal(401)
      expect(await newEntries()).to.deep.equal([])
    })

    itWithSessions('has a cookie of one session with a token of another, on every route', async () => {
      const victim = await newcomer(service)
      const thief = await read(newcomer(service))
      const mixed = { ...thief.held(), cookie: victim.held().cookie }
      const routes = [
        () => send('GET', GET_IDENTITY, mixed),
        () => send('POST', LOGOUT, mixed, {}),
        () => refresh(mixed),
        () => send('POST', CREATE_PROJECT, mixed, PROJECT),
      ]
      for (const ask of routes) {
        expect((await ask()).status).to.equal(401)
        expect(await newEntries()).to.deep.equal([
          { ...failure('binding.mismatch', victim.id, service.clock.now), count: 1 },
        ])
        // The next one is not of the same minute.
        service.clock.now += 60_000
      }
      expect(
        [await victim.getIdentity(), await thief.getIdentity()].map(({ status }) => status),
      ).to.deep.equal([200, 200])
    })

    itWithSessions('has both sessions of one account in one cookie and token', async () => {
      const first = await newcomer(service)
      const second = createBrowser(service, first.email)
      await read(second.login())
      const mixed = { ...first.held(), cookie: second.held().cookie }
      expect((await send('GET', GET_IDENTITY, mixed)).status).to.equal(401)
      expect(await newEntries()).to.deep.equal([{ ...failure('binding.mismatch', first.id), count: 1 }])
    })

    itWithSessions('has nothing of half of the credentials, nor of a cookie that opens nothing', async () => {
      const browser = await read(newcomer(service))
      const { cookie, accessToken } = browser.held()
      const unknown = `sid=${'A'.repeat(43)}`
      for (const held of [{ cookie }, { accessToken }, { accessToken, cookie: unknown }]) {
        expect((await send('GET', GET_IDENTITY, held)).status).to.equal(401)
        expect((await send('POST', LOGOUT, held, {})).status).to.equal(401)
      }
      expect(await newEntries()).to.deep.equal([])
    })

    it('has nothing of what is done every day', async () => {
      const browser = await newcomer(service, ['project-editor'])
      const key = await read(service.apiKey())
      const pets = { headers: { 'X-API-Key': key, ...REQUEST }, json: { name: 'Rex' } }
      const replies = [
        await send('GET', GET_IDENTITY, browser.held()),
        await send('POST', CREATE_PROJECT, browser.held(), PROJECT),
        await service.client.call('GET', '/v1/pets', { headers: pets.headers }),
        await service.client.call('POST', '/v1/pets', pets),
        await refresh(browser.held()),
      ]
      expect(replies.map(({ status }) => status)).to.deep.equal([200, 201, 200, 201, 200])
      expect(await newEntries()).to.deep.equal([])
    })

    it('has nothing of a login that is not one', async () => {
      const email = freshEmail()
      await read(service.account(email))
      const body = { headers: { 'Content-Type': 'application/json' }, body: '{"email":' }
      const replies = [
        await logIn({ email: [email], password: PASSWORD }),
        await logIn({ email, password: { $ne: null } }),
        await logIn({ email: 'no email', password: PASSWORD }),
        await logIn({ email }),
        await logIn({}),
        await service.client.call('POST', LOGIN, body),
        await send('POST', LOGIN, { accessToken: 'rubbish' }, { email, password: PASSWORD }),
      ]
      expect(replies.map(({ status }) => status)).to.deep.equal([400, 400, 401, 401, 401, 400, 401])
      expect(await newEntries()).to.deep.equal([])
    })

    it('has nothing of a token that is refused', async () => {
      const browser = await newcomer(service)
      const held = browser.held()
      await read(browser.logout())
      expect((await send('GET', GET_IDENTITY, held)).status).to.equal(401)
      expect((await refresh(held)).status).to.equal(401)
      expect(await newEntries()).to.deep.equal([])
    })
  })
}
