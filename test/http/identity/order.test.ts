import { expect } from 'chai'
import { PASSWORD } from '../../support/http/service.js'
import { LOGIN_AS } from '../../support/http/acting.js'
import { itWithSessions } from '../../support/http/modes.js'
import { credentials, freshEmail, GET_IDENTITY, LOGIN, newcomer } from '../../support/http/browser.js'
import { expectInvalidToken } from '../../support/http/expected.js'
import { PROTECTED_BODIES } from '../../support/http/protected-routes.js'
import { servicesOfTests } from '../../support/http/services.js'

const LOGIN_ALONE = {
  roles: {
    everyone: { components: { auth: ['login'], user: ['find'] } },
    cli: { components: { 'user-task': ['*'] } },
  },
}

/** Each request has two errors; the check that runs first decides the status. Recordings contain more such requests. */
describe('the order of checks', () => {
  const serve = servicesOfTests()

  it('puts the body before the permission', async () => {
    const closed = await serve({ permissions: { roles: {} } })
    const login = (body: string) =>
      closed.client.call('POST', LOGIN, { headers: { 'Content-Type': 'application/json' }, body })
    for (const body of ['{', '[]', '{"email":1}', '{"password":{}}']) {
      expect((await login(body)).status, body).to.equal(400)
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
    // A login-as body without an ID is malformed, so it is rejected before the permission is checked.
    expect((await browser.send('POST', LOGIN_AS, { json: {} })).status).to.equal(400)
    expect((await browser.send('POST', LOGIN_AS, { json: { userId: 1 } })).status).to.equal(403)
  })

  itWithSessions('puts every check of the request before the store', async () => {
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
