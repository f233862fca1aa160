import { expect } from 'chai'
import {
  createBrowser,
  credentials,
  envelopeOf,
  freshEmail,
  GET_IDENTITY,
  LOGOUT,
  refreshWith,
  setCookies,
} from '../../support/http/browser.js'
import { expectInvalidToken, loggedIn } from '../../support/http/expected.js'
import { servicesOfTests } from '../../support/http/services.js'
import { watching } from '../../support/watched-store.js'

const FOREIGN_COOKIES = { Cookie: 'sid=one; sid=two' }

describe('stateless mode', () => {
  const serve = servicesOfTests()

  it('stores nothing, sets no cookie and ignores cookies, because both tokens contain the login', async () => {
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

    calls.length = 0
    const headers = { ...credentials({ accessToken }), ...FOREIGN_COOKIES }
    const identity = await service.client.call('GET', GET_IDENTITY, { headers })
    expect([identity.json, calls]).to.deep.equal([loggedIn({ id, email }, roleList), []])
    expectInvalidToken(await service.client.call('GET', GET_IDENTITY, { headers: FOREIGN_COOKIES }))
    const others = [
      await refreshWith(service, { refreshToken }, FOREIGN_COOKIES),
      await service.client.call('POST', LOGOUT, { headers, json: {} }),
    ]
    expect(others.map(({ status }) => status)).to.deep.equal([200, 200])
    expect(others.flatMap(setCookies)).to.deep.equal([])
  })
})
