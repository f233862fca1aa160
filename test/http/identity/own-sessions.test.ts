import { expect } from 'chai'
import { expectAlive } from '../../support/http/acting.js'
import {
  END_SESSIONS as END,
  newcomer,
  sessionIdOf,
  SESSIONS as LIST,
  type Browser,
} from '../../support/http/browser.js'
import { comparable } from '../../support/http/expected.js'
import { PASSWORD, startService, type TestService } from '../../support/http/service.js'

const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:130.0) Gecko/20100101 Firefox/130.0'

const list = (browser: Browser, query = '') => browser.send('GET', `${LIST}${query}`)
const end = (browser: Browser, json: unknown) => browser.send('POST', END, { json })

describe('one’s own sessions over HTTP', () => {
  let service: TestService
  const mode = 'stateful'
  before(async () => {
    service = await startService({ mode })
  })
  after(() => service.close())

  it('are listed with client, network and times', async () => {
    const browser = await newcomer(service)
    const begun = new Date(service.clock.now).toISOString()
    service.clock.now += 1_000
    const headers = { 'User-Agent': FIREFOX }
    const json = { email: browser.email, password: PASSWORD }
    const other = await service.client.call('POST', '/api/auth/login', { headers, json })
    expect(other.status).to.equal(200)
    const reply = await list(browser)
    const later = new Date(service.clock.now).toISOString()
    const { jwt } = (other.json as { view: { jwt: string } }).view
    const shared = { network: '127.0.0.1', impersonated: false }
    expect(reply.json).to.deep.equal({
      code: 200,
      response: true,
      view: {
        sessions: [
          {
            ...{ id: sessionIdOf(browser.held().accessToken), createdAt: begun, refreshedAt: begun },
            ...{ client: null, current: true, ...shared },
          },
          {
            ...{ id: sessionIdOf(jwt), createdAt: later, refreshedAt: later },
            ...{ client: 'Firefox 130 on Linux', current: false, ...shared },
          },
        ],
        messages: [],
      },
    })
    expect(reply.headers).to.not.have.any.keys('x-next', 'link')
  })

  it('are hidden from other accounts: the same bytes as for an unknown session', async () => {
    const [browser, foreign] = [await newcomer(service), await newcomer(service)]
    const theirs = await end(browser, { id: sessionIdOf(foreign.held().accessToken) })
    const nothing = await end(browser, { id: 'qT3xEXAMPLE-EXAMPLE_uQ' })
    expect(theirs.status).to.equal(404)
    expect(comparable(theirs)).to.deep.equal(comparable(nothing))
    for (const id of ['', ' ', '\0', '\ud800', '$ne', "' OR 1=1 --", 'x'.repeat(10_000)])
      expect(comparable(await end(browser, { id })), id.slice(0, 9)).to.deep.equal(comparable(nothing))
    await expectAlive(service, foreign.held())
  })
})
