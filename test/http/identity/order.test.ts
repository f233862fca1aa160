import { expect } from 'chai'
import { PASSWORD, startService, type TestService } from '../../support/http/service.js'
import { LOGIN_AS } from '../../support/http/acting.js'
import { itWithSessions } from '../../support/http/modes.js'
import {
  credentials,
  freshEmail,
  GET_IDENTITY,
  LOGIN,
  LOGOUT,
  newcomer,
  REFRESH,
} from '../../support/http/browser.js'
import { expectInvalidToken } from '../../support/http/expected.js'
import {
  expectInvalidTokenAt,
  PROTECTED_BODIES,
  PROTECTED_ROUTES,
} from '../../support/http/protected-routes.js'
import { servicesOfTests } from '../../support/http/services.js'

const BAD_TOKEN = { 'X-Authorization': 'Bearer rubbish' }
const EVIL = { Origin: 'https://evil.example' }
const PLAIN = { 'Content-Type': 'text/plain' }

const LOGIN_ALONE = {
  roles: {
    everyone: { components: { auth: ['login'], user: ['find'] } },
    cli: { components: { 'user-task': ['*'] } },
  },
}

/** Each request has two errors; the check that runs first decides the status. */
describe('the order of checks', () => {
  const serve = servicesOfTests()
  let service: TestService
  before(async () => {
    service = await startService()
  })
  after(() => service.close())

  const call = (method: string, path: string, headers: Record<string, string>, body?: string) =>
    service.client.call(method, path, { headers, ...(body !== undefined && { body }) })

  it('puts the path before credentials', async () => {
    expect((await call('POST', '/api/auth/nothing', BAD_TOKEN)).status).to.equal(404)
  })

  it('puts the method before credentials, origin and type', async () => {
    expect((await call('GET', LOGIN, { ...BAD_TOKEN, ...EVIL, ...PLAIN })).status).to.equal(405)
    expect((await call('POST', GET_IDENTITY, BAD_TOKEN)).status).to.equal(405)
  })

  it('puts the token before everything else in the request', async () => {
    const errors = { ...BAD_TOKEN, ...EVIL, ...PLAIN, Accept: 'text/html' }
    for (const path of [LOGIN, REFRESH, LOGOUT]) {
      expectInvalidToken(await call('POST', path, errors, 'x'.repeat(20_000)), path)
      expectInvalidToken(await call('POST', path, BAD_TOKEN, '{'), path)
    }
    expectInvalidToken(await call('GET', GET_IDENTITY, { ...BAD_TOKEN, Accept: 'text/html' }))
    for (const { method, path } of PROTECTED_ROUTES)
      expectInvalidTokenAt(path, await call(method, path, errors, method === 'GET' ? undefined : '{'))
  })

  it('puts a missing identity before content type, body and Accept on the protected routes', async () => {
    for (const { method, path } of PROTECTED_ROUTES)
      expectInvalidTokenAt(path, await call(method, path, { ...EVIL, Accept: 'text/html' }))
    for (const { path } of PROTECTED_BODIES) {
      expectInvalidTokenAt(path, await call('POST', path, PLAIN, '{'))
      expectInvalidTokenAt(path, await call('POST', path, {}, 'x'.repeat(100_000)))
    }
  })

  it('puts the origin before content type and body', async () => {
    expect((await call('POST', LOGIN, { ...EVIL, ...PLAIN }, '{')).status).to.equal(403)
    expect((await call('POST', LOGIN, EVIL)).status).to.equal(403)
  })

  it('puts the content type before the size and form of the body', async () => {
    for (const [path, tooLarge] of [
      [LOGIN, 415],
      [REFRESH, 415],
      // An optional body has a type only if it has bytes, so it is read first.
      [LOGOUT, 413],
    ] as const) {
      expect((await call('POST', path, PLAIN, 'x'.repeat(20_000))).status, path).to.equal(tooLarge)
      expect((await call('POST', path, PLAIN, '{')).status, path).to.equal(415)
    }
  })

  it('puts the body before the permission', async () => {
    const closed = await serve({ permissions: { roles: {} } })
    const login = (body: string) =>
      closed.client.call('POST', LOGIN, { headers: { 'Content-Type': 'application/json' }, body })
    for (const body of ['{', '[]', '{"email":1}', '{"password":{}}']) {
      expect((await login(body)).status, body).to.equal(400)
    }
    const browser = await newcomer(service)
    const headers = { 'Content-Type': 'application/json' }
    for (const { path } of PROTECTED_BODIES) {
      expect((await browser.send('POST', path, { headers, body: '{' })).status, path).to.equal(400)
      expect((await browser.send('POST', path, { headers: PLAIN, body: '{' })).status, path).to.equal(415)
    }
  })

  it('puts the permission before fields', async () => {
    const closed = await serve({ permissions: { roles: {} } })
    const reply = await closed.client.call('POST', LOGIN, { json: {} })
    const [message] = (reply.json as { view: { messages: { type: string }[] } }).view.messages
    expect(message?.type).to.equal('Forbidden')
    const login = await serve({ permissions: LOGIN_ALONE })
    const browser = await newcomer(login)
    for (const { path } of PROTECTED_BODIES.filter((one) => one.path !== LOGIN_AS))
      expect((await browser.send('POST', path, { json: {} })).status, path).to.equal(403)
    // Here the ID is part of the form.
    expect((await browser.send('POST', LOGIN_AS, { json: {} })).status).to.equal(400)
    expect((await browser.send('POST', LOGIN_AS, { json: { userId: 1 } })).status).to.equal(403)
  })

  itWithSessions('puts everything in the request before the store', async () => {
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
