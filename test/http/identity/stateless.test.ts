import { expect } from 'chai'
import {
  createBrowser,
  credentials,
  envelopeOf,
  freshEmail,
  GET_IDENTITY,
  LOGOUT,
  payloadOf,
  refreshWith,
  setCookies,
} from '../../support/http/browser.js'
import { expectInvalidToken, loggedIn } from '../../support/http/expected.js'
import { servicesOfTests } from '../../support/http/services.js'
import { watching } from '../../support/watched-store.js'

const FOREIGN_COOKIES = { Cookie: 'sid=one; sid=two' }

describe('stateless mode', () => {
  const serve = servicesOfTests()

  it('stores nothing, sets no cookie and ignores all cookies: both tokens carry the login', async () => {
    const calls: string[] = []
    const aroundStore = watching((name, run) => {
      calls.push(name)
      return run()
    })
    const service = await serve({ mode: 'stateless', aroundStore, auditSinks: () => [] })
    const email = freshEmail()
    const id = await service.account(email, ['editor'])
    calls.length = 0
    const browser = createBrowser(service, email)
    const login = await browser.login()
    expect([login.status, setCookies(login), calls]).to.deep.equal([200, [], ['accounts.findByEmail']])
    const { accessToken, refreshToken } = browser.held()
    const { roleList } = envelopeOf(login).view
    const [access, refresh] = [payloadOf(accessToken), payloadOf(refreshToken)]
    const iat = Math.floor(service.clock.now / 1000)
    const carried = { email, roles: [roleList['editor']], epoch: 1, session_exp: iat + 2_592_000 }
    expect(access).to.deep.include({ ...carried, sub: String(id), exp: iat + 900 })
    expect(refresh).to.deep.include({ ...carried, sid: access['sid'], exp: iat + 604_800 })

    calls.length = 0
    const headers = { ...credentials({ accessToken }), ...FOREIGN_COOKIES }
    const identity = await service.client.call('GET', GET_IDENTITY, { headers })
    expect([identity.json, calls]).to.deep.equal([loggedIn({ id, email }, roleList), []])
    expectInvalidToken(await service.client.call('GET', GET_IDENTITY, { headers: FOREIGN_COOKIES }))
    const others = [
      await refreshWith(service, { refreshToken }, FOREIGN_COOKIES),
      await service.client.call('POST', LOGOUT, { headers, json: {} }),
    ]
    expect(others.map((reply) => [reply.status, setCookies(reply)])).to.deep.equal([
      [200, []],
      [200, []],
    ])
  })
})
