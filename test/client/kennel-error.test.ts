import { expect } from 'chai'
import type { ServerResponse } from 'node:http'
import type { KennelClient } from '../../src/client/index.js'
import { GET_IDENTITY, REFRESH } from '../support/http/browser.js'
import { answersOfTests, LOGGED_OUT, replying, type Answer, clientOf, failureOf } from './clients.js'

const PAIR = { accessToken: 'no.token.at-all', refreshToken: 'neither' }

const CALLS = {
  login: (client) => client.login('ada@example.com', 'secret'),
  getIdentity: (client) => client.getIdentity(),
  refresh: (client) => client.refresh(),
  logout: (client) => client.logout(),
  'resetPassword.ask': (client) => client.resetPassword.request('ada@example.com'),
  'resetPassword.consume': (client) =>
    client.resetPassword.consume({ email: 'ada@example.com', resetToken: 'one', password: 'another' }),
  signUp: (client) => client.signUp('ada@example.com'),
  confirmSignUp: (client) => client.confirmSignUp({ token: 'one', password: 'another' }),
  loginByMail: (client) => client.loginByMail('ada@example.com'),
  confirmLoginByMail: (client) => client.confirmLoginByMail({ code: 'one' }),
  loginAs: (client) => client.loginAs(1),
  logoutAs: (client) => client.logoutAs(),
  createProject: (client) => client.createProject({ label: 'Roof', status: 'open', budget: 1 }),
  'pets.list': (client) => client.pets.list(),
  'pets.pages': async (client) => await client.pets.pages().next(),
  'pets.create': (client) => client.pets.create({ name: 'Rex' }),
  'pets.read': (client) => client.pets.read(1),
  'pets.patch': (client) => client.pets.patch(1, { bark: true }),
} satisfies Readonly<Record<string, (client: KennelClient) => Promise<unknown>>>

/** Sends half of the announced bytes, then cuts the connection. */
const cutOff: Answer = (response) => {
  response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': '100' })
  response.write('{"view":', () => response.destroy())
}

const ANSWERS: readonly (readonly [what: string, answer: Answer, code: string, status: number])[] = [
  ['an HTML page with 502', replying(502, '<h1>Bad gateway</h1>'), 'Unavailable', 502],
  ['an HTML page with 200', replying(200, '<h1>Welcome to our hotel</h1>'), 'unreadable', 200],
  ['half of a JSON text', replying(200, '{"code":200,"view":{"logged'), 'unreadable', 200],
  ['nothing', replying(200, ''), 'unreadable', 200],
  ['null', replying(200, 'null'), 'unreadable', 200],
  ['a number', replying(200, '7'), 'unreadable', 200],
  ['an array that contains a number', replying(200, '[7]'), 'unreadable', 200],
  ['a view that is null', replying(200, '{"view":null}'), 'unreadable', 200],
  ['a view that is a string', replying(200, '{"view":"x","id":"1"}'), 'unreadable', 200],
  ['malformed messages', replying(401, '{"view":{"loggedIn":false,"messages":[7,{}]}}'), 'InvalidToken', 401],
  ['messages that are not an array', replying(400, '{"view":{"messages":{}},"message":7}'), 'NotValid', 400],
  ['an empty object with an unusual status', replying(418, '{}'), 'Format', 418],
  ['a truncated body', cutOff, 'network', 200],
  ['a closed connection', (response: ServerResponse) => response.destroy(), 'network', 0],
]

describe('a response that a client cannot use', () => {
  const answering = answersOfTests()

  for (const [what, answer, code, status] of ANSWERS) {
    it(`makes every call fail with the code ${code} if it is ${what}`, async () => {
      const server = await answering(answer)
      for (const [name, call] of Object.entries(CALLS)) {
        const error = await failureOf(call(clientOf(server, { tokens: PAIR }).client))
        expect([name, error.code, error.status]).to.deep.equal([name, code, status])
        expect(error.messages).to.deep.equal([])
        expect(error.message).to.equal(`${code} (status ${status})`)
      }
    })
  }

  it('makes the login fail if it has no token pair or has `loggedIn: false`', async () => {
    const good = { jwt: 'a', refreshToken: 'b', loggedIn: true }
    for (const wrong of [{ jwt: null }, { refreshToken: '' }, { loggedIn: false }]) {
      const view = { ...good, ...wrong }
      const server = await answering(replying(200, JSON.stringify({ code: 200, response: true, view })))
      const { client } = clientOf(server)
      expect((await failureOf(client.login('ada@example.com', 'secret'))).code).to.equal('unreadable')
      expect(client.tokens()).to.equal(undefined)
    }
  })

  for (const [name, page] of [
    ['a page', '<h1>401 Authorization Required</h1>'],
    ['nothing', ''],
    ['a gateway error', '{"code":401,"message":"Unauthorized"}'],
    ['an envelope of another service', '{"code":401,"response":false,"view":{}}'],
  ] as const)
    it(`does not end the session if it is a 401 from a gateway (${name})`, async () => {
      const server = await answering(replying(401, page))
      const { client, told } = clientOf(server, { tokens: PAIR })
      const { login, getIdentity, refresh, logout, loginAs, logoutAs, createProject } = CALLS
      for (const call of [refresh, logout, getIdentity, loginAs, logoutAs, createProject, login]) {
        expect(await failureOf(call(client))).to.include({ code: 'network', status: 0 })
        expect([told(), client.tokens()]).to.deep.equal([0, PAIR])
      }
      expect((await failureOf(client.fetch('/v1/other'))).code).to.equal('network')
      expect([told(), client.tokens()]).to.deep.equal([0, PAIR])
    })

  it('causes no further retry if it is still a 401 after a refresh', async () => {
    const view = { jwt: 'a.token', refreshToken: 'another', loggedIn: true }
    const [renewed, refused] = [replying(200, JSON.stringify({ view })), replying(401, LOGGED_OUT)]
    const server = await answering((response, request) =>
      (request.url === REFRESH ? renewed : refused)(response, request),
    )
    const { client, sent, told } = clientOf(server, { tokens: PAIR })
    expect((await failureOf(client.getIdentity())).status).to.equal(401)
    expect(sent.map(({ path }) => path)).to.deep.equal([GET_IDENTITY, REFRESH, GET_IDENTITY])
    expect([told(), client.tokens()?.accessToken]).to.deep.equal([0, 'a.token'])
  })

  it('makes later calls fail if its token cannot be a header value', async () => {
    const view = { jwt: 'two\nlines', refreshToken: 'b', loggedIn: true }
    const server = await answering(replying(200, JSON.stringify({ view })))
    const { client, sent } = clientOf(server)
    await client.login('ada@example.com', 'secret')
    expect((await failureOf(client.getIdentity())).code).to.equal('NotValid')
    expect(sent).to.have.length(1)
  })
})

describe('the error of a client', () => {
  const answering = answersOfTests()
  const STATUSES = {
    ...{ NotValid: [400, 422], InvalidToken: [401], Forbidden: [403], NotFound: [404], Length: [413] },
    ...{ Format: [405, 408, 415, 431], Conflict: [409, 412], TooMany: [429], Unavailable: [500, 503] },
  }
  for (const [code, statuses] of Object.entries(STATUSES))
    it(`has the code ${code} and the response message if the pet routes respond with ${statuses.join()}`, async () => {
      for (const status of statuses) {
        const server = await answering(replying(status, JSON.stringify({ code: status, message: 'No.' })))
        const error = await failureOf(clientOf(server).client.pets.list())
        expect(error).to.include({ code, status, message: 'No.' })
        expect(error.messages).to.deep.equal([{ field: '', type: code, code: status, message: 'No.' }])
      }
    })

  it('contains the seconds until a retry is allowed, and the request ID', async () => {
    for (const [header, retryAfter] of [
      ['7', 7],
      ['Thu, 01 Jan 1970 00:00:00 GMT', 0],
      ['later', undefined],
    ] as const) {
      const headers = { 'Retry-After': header, 'X-Request-Id': 'a-request' }
      const server = await answering(replying(503, '', headers))
      const error = await failureOf(clientOf(server).client.pets.list())
      expect(error).to.include({ retryAfter, requestId: 'a-request' })
    }
  })
})

describe('the `fetch` of a client', () => {
  const answering = answersOfTests()
  const FOREIGN = [
    ...['https://evil.example/', '//evil.example/', '/\\evil.example/', '/\t/evil.example/'],
    ...['.evil.example/', '@evil.example/', ':99999/'],
  ]

  it('does not send the credentials to another host', async () => {
    const server = await answering(replying(200, '{}'))
    for (const baseUrl of [server.origin, '']) {
      const { client, sent } = clientOf(server, { tokens: PAIR, baseUrl })
      for (const path of FOREIGN) {
        // A path that begins with a slash is appended to the base URL, so it stays on the same host.
        if (baseUrl !== '' && path.startsWith('/'))
          expect((await client.fetch(path)).status, path).to.equal(200)
        else expect((await failureOf(client.fetch(path))).code, path).to.equal('NotValid')
      }
      expect(sent).to.have.length(baseUrl === '' ? 0 : 3)
    }
  })

  it('reaches a route outside the path prefix of the service, on the same host', async () => {
    const server = await answering(replying(200, '{}'))
    const { client, sent } = clientOf(server, { tokens: PAIR, baseUrl: `${server.origin}/kennel` })
    for (const path of ['/x', '/v1/../x', '/../hello', '/%2e%2E/x'])
      expect((await client.fetch(path)).status, path).to.equal(200)
    expect(sent.map(({ path }) => path)).to.deep.equal(['/kennel/x', '/kennel/x', '/hello', '/x'])
    for (const path of ['s.evil.example/', ''])
      expect((await failureOf(client.fetch(path))).code, path).to.equal('NotValid')
  })

  it('does not follow a redirect, because the redirect could send the credentials to another host', async () => {
    let visits = 0
    const stranger = await answering((response) => {
      visits += 1
      response.end('{}')
    })
    const server = await answering(replying(307, '', { Location: stranger.origin }))
    const { client } = clientOf(server, { tokens: PAIR, pets: { apiKey: 'secret' } })
    for (const call of [() => client.fetch('/'), () => client.getIdentity(), () => client.pets.list()]) {
      expect((await failureOf(call())).code).to.equal('network')
    }
    expect(visits).to.equal(0)
  })

  it("rejects an aborted call with the caller's reason", async () => {
    const server = await answering(() => undefined)
    const reason = new Error('no longer needed')
    const { client } = clientOf(server)
    const call = client.fetch('/slow', { signal: AbortSignal.abort(reason) })
    expect(await call.catch((error: unknown) => error)).to.equal(reason)
  })
})
