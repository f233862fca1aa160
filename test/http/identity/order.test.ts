import { expect } from 'chai'
import { PASSWORD, startService, type TestService } from '../../support/http/service.js'
import { itWithSessions } from '../../support/http/modes.js'
import {
  CHANGE_PASSWORD,
  CREATE_PROJECT,
  credentials,
  freshEmail,
  GET_IDENTITY,
  LOGIN,
  LOGOUT,
  newcomer,
  REFRESH,
} from '../../support/http/browser.js'
import { expectInvalidToken } from '../../support/http/expected.js'
import { servicesOfTests } from '../../support/http/services.js'

const BAD_TOKEN = { 'X-Authorization': 'Bearer rubbish' }
const EVIL = { Origin: 'https://evil.example' }
const PLAIN = { 'Content-Type': 'text/plain' }

/** Each request has two faults; the one that is judged first decides the status. */
describe('the order of checks', () => {
  const serve = servicesOfTests()
  let service: TestService
  before(async () => {
    service = await startService()
  })
  after(() => service.close())

  const call = (method: string, path: string, headers: Record<string, string>, body?: string) =>
    service.client.call(method, path, { headers, ...(body !== undefined && { body }) })

  it('is path before credentials', async () => {
    expect((await call('POST', '/api/auth/nothing', BAD_TOKEN)).status).to.equal(404)
  })

  it('is method before credentials, origin and type', async () => {
    expect((await call('GET', LOGIN, { ...BAD_TOKEN, ...EVIL, ...PLAIN })).status).to.equal(405)
    expect((await call('POST', GET_IDENTITY, BAD_TOKEN)).status).to.equal(405)
  })

  it('is token before everything that is in the request besides', async () => {
    const errors = { ...BAD_TOKEN, ...EVIL, ...PLAIN, Accept: 'text/html' }
    for (const path of [LOGIN, REFRESH, LOGOUT]) {
      expectInvalidToken(await call('POST', path, errors, 'x'.repeat(20_000)), path)
      expectInvalidToken(await call('POST', path, BAD_TOKEN, '{'), path)
    }
    expectInvalidToken(await call('GET', GET_IDENTITY, { ...BAD_TOKEN, Accept: 'text/html' }))
    expect((await call('POST', CREATE_PROJECT, { ...errors }, '{')).status).to.equal(401)
  })

  it('is no identity before content type and body on the protected route', async () => {
    expect((await call('POST', CREATE_PROJECT, PLAIN, '{')).status).to.equal(401)
    expect((await call('POST', CREATE_PROJECT, {}, 'x'.repeat(100_000))).status).to.equal(401)
    expect((await call('POST', CHANGE_PASSWORD, PLAIN, '{')).status).to.equal(401)
  })

  it('is origin before content type and body', async () => {
    expect((await call('POST', LOGIN, { ...EVIL, ...PLAIN }, '{')).status).to.equal(403)
    expect((await call('POST', LOGIN, EVIL)).status).to.equal(403)
  })

  it('is content type before the size and form of the body', async () => {
    for (const path of [LOGIN, REFRESH, LOGOUT]) {
      expect((await call('POST', path, PLAIN, 'x'.repeat(20_000))).status, path).to.equal(415)
      expect((await call('POST', path, PLAIN, '{')).status, path).to.equal(415)
    }
  })

  it('is body before the permission', async () => {
    const closed = await serve({ permissions: { roles: {} } })
    const login = (body: string) =>
      closed.client.call('POST', LOGIN, { headers: { 'Content-Type': 'application/json' }, body })
    for (const body of ['{', '[]', '{"email":1}', '{"password":{}}']) {
      expect((await login(body)).status, body).to.equal(400)
    }
    const browser = await newcomer(service)
    const headers = { 'Content-Type': 'application/json' }
    expect((await browser.send('POST', CREATE_PROJECT, { headers, body: '{' })).status).to.equal(400)
    expect((await browser.send('POST', CREATE_PROJECT, { headers: PLAIN, body: '{' })).status).to.equal(415)
    expect((await browser.send('POST', CHANGE_PASSWORD, { headers, body: '{' })).status).to.equal(400)
    expect((await browser.send('POST', CHANGE_PASSWORD, { headers: PLAIN, body: '{' })).status).to.equal(415)
  })

  it('is permission before fields', async () => {
    const closed = await serve({ permissions: { roles: {} } })
    const reply = await closed.client.call('POST', LOGIN, { json: {} })
    const [message] = (reply.json as { view: { messages: { type: string }[] } }).view.messages
    expect(message?.type).to.equal('Forbidden')
    const browser = await newcomer(service)
    expect((await browser.send('POST', CREATE_PROJECT, { json: {} })).status).to.equal(403)
  })

  itWithSessions('is everything in the request before the store', async () => {
    const away = await serve()
    const browser = await newcomer(away)
    await away.store.close()
    const { cookie, accessToken } = browser.held()
    const headers = credentials({ cookie, accessToken })
    const login = (json: object) => away.client.call('POST', LOGIN, { headers, json })
    expect((await login({ email: [] })).status).to.equal(400)
    expect((await login({})).status).to.equal(401)
    expect((await login({ email: freshEmail(), password: PASSWORD })).status).to.equal(503)
    const halves = [credentials({ cookie }), credentials({ accessToken })]
    for (const half of halves) {
      expectInvalidToken(await away.client.call('GET', GET_IDENTITY, { headers: half }))
    }
  })
})
