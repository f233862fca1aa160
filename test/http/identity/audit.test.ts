import { expect } from 'chai'
import type { AuditRecord } from '../../../src/domain/audit.js'
import type { AccountId } from '../../../src/domain/identity/account.js'
import { itWithSessions } from '../../support/http/modes.js'
import { PASSWORD, START, startService, type TestService } from '../../support/http/service.js'
import { newEntriesOf, type Entry } from './audit-reading.js'
import {
  CREATE_PROJECT,
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

describe('the audit log', () => {
  let service: TestService
  let newEntries: () => Promise<readonly Entry[]>
  beforeEach(async () => {
    service = await startService({
      lifetimes: { refreshGrace: GRACE },
      settings: { trustProxy: 1 },
    })
    newEntries = newEntriesOf(service.store)
  })
  afterEach(() => service.close())

  const logIn = (json: object) => service.client.call('POST', LOGIN, { headers: REQUEST, json })
  const send = (method: string, path: string, held: Held, json?: object) =>
    service.client.call(method, path, { headers: { ...credentials(held), ...REQUEST }, json })
  const refresh = ({ cookie, refreshToken }: Held) => send('POST', REFRESH, { cookie }, { refreshToken })
  /** Checks that every given credential was read. */
  const read = async <Guest>(guest: Promise<Guest>) => {
    const arrived = await guest
    await newEntries()
    return arrived
  }

  it('records a login', async () => {
    const email = freshEmail()
    const id = await read(service.account(email))
    expect((await logIn({ email, password: PASSWORD })).status).to.equal(200)
    expect(await newEntries()).to.deep.equal([success('login', id)])
  })

  it('records a login with an unknown email, but not the email', async () => {
    const email = freshEmail()
    expect((await logIn({ email, password: PASSWORD })).status).to.equal(401)
    expect(await newEntries()).to.deep.equal([failure('login')])
  })

  itWithSessions('records a cookie of one session with a token of another, on every route', async () => {
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
      // The next record falls into another minute.
      service.clock.now += 60_000
    }
    expect([await victim.getIdentity(), await thief.getIdentity()].map(({ status }) => status)).to.deep.equal(
      [200, 200],
    )
  })

  itWithSessions('does not record half of the credentials or a cookie without a session', async () => {
    const browser = await read(newcomer(service))
    const { cookie, accessToken } = browser.held()
    const unknown = `sid=${'A'.repeat(43)}`
    for (const held of [{ cookie }, { accessToken }, { accessToken, cookie: unknown }]) {
      expect((await send('GET', GET_IDENTITY, held)).status).to.equal(401)
      expect((await send('POST', LOGOUT, held, {})).status).to.equal(401)
    }
    expect(await newEntries()).to.deep.equal([])
  })

  it('does not record everyday actions', async () => {
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
})
