import { expect } from 'chai'
import { startService, type TestService } from '../../support/http/service.js'
import {
  createBrowser,
  credentials,
  envelopeOf,
  freshEmail,
  identityWith,
  LOGOUT,
  newcomer,
  payloadOf,
  refreshWith,
  setCookies,
} from '../../support/http/browser.js'
import { expectInvalidToken, loggedIn } from '../../support/http/expected.js'
import { watching } from '../../support/watched-store.js'

const FOREIGN_COOKIES = { Cookie: 'sid=one; sid=two' }

describe('stateless mode', () => {
  let service: TestService
  let calls: string[] = []
  before(async () => {
    const aroundStore = watching((name, run) => {
      calls.push(name)
      return run()
    })
    service = await startService({ mode: 'stateless', aroundStore, auditSinks: () => [] })
  })
  beforeEach(() => {
    calls = []
  })
  after(() => service.close())

  it('sets no cookie, stores nothing at login and carries the session in both tokens', async () => {
    const email = freshEmail()
    const id = await service.account(email, ['editor'])
    calls = []
    const browser = createBrowser(service, email)
    const reply = await browser.login()
    expect(reply.status).to.equal(200)
    expect(setCookies(reply)).to.deep.equal([])
    expect(calls).to.deep.equal(['accounts.findByEmail'])
    const [access, refresh] = [payloadOf(browser.held().accessToken), payloadOf(browser.held().refreshToken)]
    const editor = envelopeOf(reply).view.roleList['editor']
    const iat = Math.floor(service.clock.now / 1000)
    const carried = { email, roles: [editor], epoch: 1, session_exp: iat + 2_592_000 }
    expect(access).to.deep.include({ ...carried, sub: String(id), exp: iat + 900 })
    expect(refresh).to.deep.include({ ...carried, sid: access['sid'], exp: iat + 604_800 })
  })

  it('answers get-identity from the token alone, without a store call', async () => {
    const browser = await newcomer(service, ['editor'])
    const { roleList } = envelopeOf(await browser.getIdentity()).view
    calls = []
    const reply = await identityWith(service, { accessToken: browser.held().accessToken })
    expect(reply.json).to.deep.equal(loggedIn({ id: browser.id, email: browser.email }, roleList))
    expect(Object.keys(roleList)).to.deep.equal(['editor'])
    expect(calls).to.deep.equal([])
  })

  it('ignores all cookies', async () => {
    const browser = await newcomer(service)
    const { accessToken, refreshToken } = browser.held()
    const headers = { ...credentials({ accessToken }), ...FOREIGN_COOKIES }
    expect((await service.client.call('GET', '/api/auth/get-identity', { headers })).status).to.equal(200)
    const refreshed = await refreshWith(service, { refreshToken }, FOREIGN_COOKIES)
    expect([refreshed.status, setCookies(refreshed)]).to.deep.equal([200, []])
    const out = await service.client.call('POST', LOGOUT, { headers, json: {} })
    expect([out.status, setCookies(out)]).to.deep.equal([200, []])
    const anonymous = await service.client.call('GET', '/api/auth/get-identity', { headers: FOREIGN_COOKIES })
    expectInvalidToken(anonymous)
  })

  it('fails a login if the roles of the account would make the tokens too large', async () => {
    const email = freshEmail()
    await service.account(
      email,
      Array.from({ length: 60 }, (_, n) => `role-${'x'.repeat(60)}-${n}`),
    )
    expect((await createBrowser(service, email).login()).status).to.equal(500)
  })
})
