import { expect } from 'chai'
import { itWithSessions } from '../../support/http/modes.js'
import {
  createBrowser,
  GET_IDENTITY,
  identityWith,
  keep,
  newcomer,
  payloadOf,
  refreshWith,
  setCookies,
} from '../../support/http/browser.js'
import { expectInvalidToken } from '../../support/http/expected.js'
import { KEPT, storesOfTests } from '../../support/stores.js'
import { servicesOfTests } from '../../support/http/services.js'

const settings = { publicUrl: 'http://127.0.0.1:3000' }

describe(`two services on the same data in ${KEPT.name}`, () => {
  const serve = servicesOfTests()
  const opened = storesOfTests()

  itWithSessions('share sessions, refreshes and session ends', async () => {
    const { store, again } = await opened(KEPT.open)
    const other = await opened(again)
    const one = await serve({ store, settings })
    const two = await serve({ store: other.store, settings })
    const browser = await newcomer(one)
    const first = browser.held()
    expect((await identityWith(two, first)).status).to.equal(200)
    const [here, there] = await Promise.all([refreshWith(one, first), refreshWith(two, first)])
    expect(here.text).to.equal(there.text)
    const second = keep(first, there)
    expect((await identityWith(one, second)).status).to.equal(200)
    await createBrowser(two, browser.email, { held: second }).logout()
    expectInvalidToken(await identityWith(one, second))
    expectInvalidToken(await refreshWith(one, second))
  })
})

describe('a forged host', () => {
  const serve = servicesOfTests()
  const evil = {
    Host: 'evil.example',
    'X-Forwarded-Host': 'evil.example',
    'X-Forwarded-Proto': 'https',
    'X-Forwarded-For': '203.0.113.7',
    Forwarded: 'host=evil.example;proto=https',
  }

  itWithSessions('changes neither issuer nor cookie, and the token stays valid under any host', async () => {
    const service = await serve()
    const { email } = await newcomer(service)
    const browser = createBrowser(service, email)
    const json = { email, password: 'correct horse battery' }
    const reply = await browser.send('POST', '/api/auth/login', { headers: evil, json })
    expect(reply.status).to.equal(200)
    expect(setCookies(reply).join()).to.match(/^sid=[\w-]{43};/)
    expect(setCookies(reply).join()).to.not.match(/evil|domain|secure/i)
    expect(payloadOf(browser.held().accessToken)['iss']).to.equal(service.origin)
    expect((await browser.getIdentity()).status).to.equal(200)
    expect((await browser.send('GET', GET_IDENTITY, { headers: evil })).status).to.equal(200)
  })
})
