import { expect } from 'chai'
import type { Store } from '../../../src/ports/store.js'
import { PASSPHRASE, startService, type TestService } from '../../support/http/service.js'
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
import { KEPT, openAnyStore, storesOfTests } from '../../support/stores.js'
import { servicesOfTests } from '../../support/http/services.js'

const NEXT = 'Next-for-tests: 5 kennels & 13 hounds'
const publicUrl = 'http://127.0.0.1:3000'
const settings = { publicUrl }

describe('a new passphrase', () => {
  const serve = servicesOfTests()
  let store: Store
  let old: TestService
  let rotated: TestService
  before(async () => {
    store = await openAnyStore()
    old = await startService({ store, settings })
    const passphrases = { current: NEXT, previous: [PASSPHRASE] }
    rotated = await startService({ store, settings, passphrases })
  })
  after(async () => {
    await old.close()
    await rotated.close()
    await store.close()
  })

  it('keeps sessions alive while the previous passphrase is known: reads, refreshes and logouts work', async () => {
    const before = await newcomer(old)
    const browser = createBrowser(rotated, before.email, { held: before.held() })
    expect((await browser.getIdentity()).status).to.equal(200)
    expect((await browser.refresh()).status).to.equal(200)
    expect((await browser.getIdentity()).status).to.equal(200)
    const kids = [before.held(), browser.held()].map(({ accessToken = '' }) => kidOf(accessToken))
    expect(kids[0]).to.not.equal(kids[1])
    expect((await browser.refresh()).status).to.equal(200)
    expect((await browser.logout()).status).to.equal(200)
  })

  it('signs tokens that the previous passphrase cannot verify', async () => {
    const browser = await newcomer(rotated)
    expectInvalidToken(await identityWith(old, browser.held()))
  })

  it('invalidates all earlier tokens without the previous passphrase, and a new login works', async () => {
    const before = await newcomer(old)
    const alone = await serve({ store, settings, passphrases: { current: NEXT, previous: [] } })
    expectInvalidToken(await identityWith(alone, before.held()))
    expectInvalidToken(await refreshWith(alone, before.held()))
    const browser = createBrowser(alone, before.email)
    expect((await browser.login()).status).to.equal(200)
    expect((await browser.getIdentity()).status).to.equal(200)
  })
})

/** The key ID from the header of a JWT or the footer of a PASETO. */
function kidOf(token: string): unknown {
  const parts = token.split('.')
  const named = parts[parts.length === 4 ? 3 : 0] ?? ''
  return (JSON.parse(Buffer.from(named, 'base64url').toString()) as Record<string, unknown>)['kid']
}

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

describe('a changed host', () => {
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
