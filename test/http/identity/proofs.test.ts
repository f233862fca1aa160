import { expect } from 'chai'
import { PROOF_LIFETIMES } from '../../../src/domain/identity/proof.js'
import { proofs } from '../../../src/http/endpoints/proofs.js'
import type { HttpSettings } from '../../../src/http/parts.js'
import { credentials, freshEmail, newcomer, setCookies } from '../../support/http/browser.js'
import type { Call } from '../../support/http/client.js'
import {
  CHANGE_EMAIL,
  CONFIRM_SIGN_UP,
  LOGIN_BY_MAIL,
  proofCookieOf,
  proofIn,
  SIGN_UP,
  resettingsOfTests,
  type Resetting,
} from '../../support/http/resetting.js'
import { PASSWORD, type TestOptions } from '../../support/http/service.js'
import { PROOFS_PERMITTED } from '../../support/mail/composed-proofs.js'

const ROUTES = proofs.map(({ path }) => path)
const CONFIRM_LOGIN = `${LOGIN_BY_MAIL}/confirm`

const publicUrl = 'https://pets.example'
const SECURE: Partial<HttpSettings> = { publicUrl, cookie: { name: 'sid', secure: true, sameSite: 'strict' } }

describe('the routes for email proofs', () => {
  const start = resettingsOfTests()
  const serve = (options: Omit<TestOptions, 'mail'> = {}) =>
    start({ permissions: PROOFS_PERMITTED, ...options })

  const post = ({ service }: Resetting, path: string, json: object, call: Call = {}) =>
    service.client.call('POST', path, { ...call, json })

  /** Sends the email, and returns its secrets and the header of the requesting browser. */
  async function asked(served: Resetting, path: string, email: string) {
    const reply = await post(served, path, { email })
    expect(reply.status, reply.text).to.equal(200)
    await served.sendMails()
    return { reply, ...proofIn(served.postbox), browser: proofCookieOf(reply) }
  }

  it('bind an email to the browser with a cookie, which is new for each email', async () => {
    const [name, flags] = ['__Host-sid-proof', 'samesite=strict; secure; httponly']
    const served = await serve({ settings: SECURE })
    const { send, email } = await newcomer(served.service)
    const planted = { headers: { Cookie: `${name}=${'A'.repeat(43)}` } }
    const json = { email: freshEmail(), password: PASSWORD }
    const requests = {
      'sign-up': () => post(served, SIGN_UP, json, planted),
      'change-email': () => send('POST', CHANGE_EMAIL, { json }),
      login: () => post(served, LOGIN_BY_MAIL, { email }, planted),
    }
    const values = new Set<string>()
    for (const [purpose, request] of Object.entries(requests))
      for (let time = 0; time < 2; time += 1) {
        served.service.clock.now += 60_000
        const reply = await request()
        const [line = '', ...others] = setCookies(reply)
        const [, value = ''] = /=([\w-]{43});/.exec(line) ?? []
        const age = PROOF_LIFETIMES[purpose as keyof typeof requests] / 1000
        expect(reply.json).to.have.nested.property('view.loggedIn', purpose === 'change-email')
        expect([line, others]).to.deep.equal([`${name}=${value}; path=/; max-age=${age}; ${flags}`, []])
        expect(reply.text).to.not.include(value)
        values.add(value)
      }
    expect(values.size).to.equal(6)
    expect(values).to.not.include('A'.repeat(43))
  })

  it('accept a code only with exactly one proof cookie, from the requesting browser', async () => {
    const served = await serve({ settings: SECURE })
    const { code, browser } = await asked(served, SIGN_UP, freshEmail())
    const cookie = String(browser.headers?.['Cookie'])
    const json = { code, password: PASSWORD }
    const other = `__Host-sid-proof=${'A'.repeat(43)}`
    for (const Cookie of [cookie.replace('__Host-', ''), other, `${other}; ${cookie}`, `${cookie}; ${other}`])
      expect((await post(served, CONFIRM_SIGN_UP, json, { headers: { Cookie } })).status).to.equal(400)
    expect((await post(served, CONFIRM_SIGN_UP, json, browser)).status).to.equal(200)
  })

  it('do not use up a proof for GET, HEAD, an empty body or a page of another origin', async () => {
    const served = await serve()
    const { service, postbox, sendMails } = served
    const account = await newcomer(service)
    const signUp = await asked(served, SIGN_UP, freshEmail())
    const login = await asked(served, LOGIN_BY_MAIL, account.email)
    const sent = postbox.arrived.length
    const presented = {
      ...login.browser.headers,
      ...credentials({ accessToken: account.held().accessToken }),
    }
    for (const path of ROUTES)
      for (const { token, code } of [signUp, login]) {
        const json = { email: freshEmail(), token, code, password: PASSWORD }
        const query = new URLSearchParams(json).toString()
        for (const method of ['GET', 'HEAD', 'OPTIONS'])
          await service.client.call(method, `${path}?${query}`, { headers: presented })
        const empty = await service.client.call('POST', `${path}?${query}`, { headers: presented })
        expect(empty.status, path).to.be.within(400, 415)
        for (const headers of [{ Origin: 'https://evil.example' }, { 'Sec-Fetch-Site': 'cross-site' }])
          for (const type of ['application/json', 'text/plain']) {
            const body = JSON.stringify(json)
            // A page on another origin can send cookies at most, never the access token.
            const foreign = { ...login.browser.headers, ...headers, 'Content-Type': type }
            const { status } = await service.client.call('POST', path, { headers: foreign, body })
            expect(status, path).to.equal(path === CHANGE_EMAIL ? 401 : 403)
          }
      }
    await sendMails()
    expect(postbox.arrived).to.have.length(sent)
    const { token } = signUp
    expect((await post(served, CONFIRM_SIGN_UP, { token, password: PASSWORD })).status).to.equal(200)
    expect((await post(served, CONFIRM_LOGIN, { token: login.token }, login.browser)).status).to.equal(200)
  })
})
