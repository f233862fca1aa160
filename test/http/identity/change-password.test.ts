import { expect } from 'chai'
import { expectAlive, expectDead } from '../../support/http/acting.js'
import {
  CHANGE_PASSWORD as PATH,
  createBrowser,
  envelopeOf,
  newcomer,
  sessionIdOf,
  setCookies,
  type Browser,
} from '../../support/http/browser.js'
import type { Reply } from '../../support/http/client.js'
import { loggedIn, LOGIN_FAILED } from '../../support/http/expected.js'
import { PASSWORD, startService, STATELESS, type TestService } from '../../support/http/service.js'

const NEW = 'the stable door is open'

const change = (browser: Browser, password: unknown = PASSWORD, newPassword: unknown = NEW): Promise<Reply> =>
  browser.send('POST', PATH, { json: { password, newPassword } })

describe('a password change over HTTP', () => {
  let service: TestService
  before(async () => {
    service = await startService()
  })
  after(() => service.close())

  it('replaces this session with a new one and ends all others of the account', async () => {
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
})
