import { expect } from 'chai'
import { createCookieJar } from '../../src/client/index.js'
import { unavailable } from '../../src/domain/refusal.js'
import { CREATE_PROJECT, GET_IDENTITY, LOGIN, LOGOUT, PROJECT, REFRESH } from '../support/http/browser.js'
import { createGate, watching } from '../support/watched-store.js'
import { PASSWORD, START, sharedService } from '../support/http/service.js'
import {
  answersOfTests,
  LOGGED_OUT,
  replying,
  type Answer,
  atOnce,
  clientOf,
  failureOf,
  newcomer,
  type Options,
} from './clients.js'

const CALLS = 20
const ACCESS_TTL = 900_000

describe('an expired access token', () => {
  let away = false
  const aroundStore = watching(async (name, run) => {
    if (away && name === 'sessions.rotate') throw unavailable('away')
    return await run()
  })
  const service = sharedService({ aroundStore })
  beforeEach(() => {
    away = false
  })

  /** A client with a stopped clock, so that only a 401 reveals that the token has expired. */
  const unaware = (options = {}) => newcomer(service, { now: () => START, ...options })

  it('is refreshed once for twenty calls, and is never sent again', async () => {
    const { client, email, sent, count } = await newcomer(service)
    const old = client.tokens()?.accessToken ?? ''
    service.clock.now += ACCESS_TTL
    const identities = await Promise.all(atOnce(CALLS, client.getIdentity))
    expect(identities.map(({ user }) => user?.email)).to.deep.equal(Array(CALLS).fill(email))
    expect([count(REFRESH), count(GET_IDENTITY)]).to.deep.equal([1, CALLS])
    expect(sent.filter(({ headers }) => headers.get('X-Authorization')?.includes(old))).to.deep.equal([])
  })

  it('is refreshed once for twenty calls that get a 401, and each call is retried once', async () => {
    const { client, email, sent, count } = await unaware()
    service.clock.now += ACCESS_TTL + 5001
    const identities = await Promise.all(atOnce(CALLS, client.getIdentity))
    expect(identities.map(({ user }) => user?.email)).to.deep.equal(Array(CALLS).fill(email))
    const statuses = (path: string) => sent.filter((one) => one.path === path).map(({ status }) => status)
    expect(statuses(REFRESH)).to.deep.equal([200])
    expect(count(GET_IDENTITY)).to.equal(2 * CALLS)
    expect(statuses(GET_IDENTITY).filter((status) => status === 200)).to.have.length(CALLS)
  })

  /** Creates a client with an expired token; the client's project request stays pending until `release` is called. */
  async function withLateProject() {
    const gate = createGate()
    let isFirst = true
    const around: Options['around'] = async (path, send) => {
      const response = await send()
      if (path === CREATE_PROJECT && isFirst) {
        isFirst = false
        await gate.pass()
      }
      return response
    }
    const watched = await unaware({ around, roles: ['project-editor'] })
    service.clock.now += ACCESS_TTL + 5001
    const project = watched.client.createProject(PROJECT)
    await gate.reached
    return { ...watched, project, release: gate.release }
  }

  it('is not refreshed again for a call whose 401 arrives late', async () => {
    const { client, count, project, release } = await withLateProject()
    await client.getIdentity()
    release()
    expect((await project).label).to.equal(PROJECT.label)
    expect([count(REFRESH), count(CREATE_PROJECT)]).to.deep.equal([1, 2])
  })

  it('does not make a new session repeat a call from the previous session', async () => {
    const { client, count, project, release } = await withLateProject()
    const other = await newcomer(service, { roles: ['project-editor'] })
    await client.login(other.email, PASSWORD)
    release()
    expect((await failureOf(project)).status).to.equal(401)
    expect([count(CREATE_PROJECT), count(REFRESH)]).to.deep.equal([1, 0])
  })

  it('is refreshed if an impersonation call gets a 401', async () => {
    const { client, sent } = await unaware({ roles: ['admin'] })
    const target = await newcomer(service)
    service.clock.now += ACCESS_TTL + 5001
    expect((await client.loginAs(target.id)).user?.id).to.equal(target.id)
    expect(sent.map(({ path, status }) => [path, status])).to.deep.equal([
      ['/api/auth/login-as', 401],
      [REFRESH, 200],
      ['/api/auth/login-as', 200],
    ])
  })

  it('does not end the session if the service is unavailable during a refresh', async () => {
    const { client, email, count, told } = await unaware()
    service.clock.now += ACCESS_TTL + 5001
    away = true
    const errors = await Promise.all(atOnce(CALLS, () => failureOf(client.getIdentity())))
    for (const error of errors) expect(error).to.include({ status: 503, code: 'Unavailable', retryAfter: 2 })
    expect([count(REFRESH), told()]).to.deep.equal([1, 0])
    away = false
    expect((await client.getIdentity()).user?.email).to.equal(email)
  })

  it('is refreshed for the next call if the body is a stream, which cannot be sent again', async () => {
    const { client, count } = await unaware({ roles: ['project-editor'] })
    service.clock.now += ACCESS_TTL + 5001
    const create = async (body: ReadableStream) => {
      const headers = { 'Content-Type': 'application/json' }
      return (await client.fetch(CREATE_PROJECT, { method: 'POST', body, headers, duplex: 'half' })).status
    }
    expect(await create(new Blob([JSON.stringify(PROJECT)]).stream())).to.equal(401)
    expect([count(CREATE_PROJECT), count(REFRESH)]).to.deep.equal([1, 1])
    expect(await create(new Blob([JSON.stringify(PROJECT)]).stream())).to.equal(201)
    expect([count(CREATE_PROJECT), count(REFRESH)]).to.deep.equal([2, 1])
  })
})

describe('two tabs', () => {
  const service = sharedService()

  it('stay logged in without a shared channel even if one tab missed refreshes of the other tab', async () => {
    const cookieJar = createCookieJar()
    const awake = await newcomer(service, { cookieJar })
    const asleep = clientOf(service, { cookieJar, tokens: awake.client.tokens()! })
    for (let time = 0; time < 3; time += 1) {
      service.clock.now += ACCESS_TTL
      await awake.client.getIdentity()
    }
    service.clock.now += 60_000
    expect((await asleep.client.getIdentity()).user?.email).to.equal(awake.email)
    expect(asleep.client.tokens()).to.deep.equal(awake.client.tokens())
    expect([awake.count(REFRESH), asleep.count(REFRESH)]).to.deep.equal([3, 1])
    service.clock.now += ACCESS_TTL
    for (const { client, told } of [asleep, awake]) {
      expect((await client.getIdentity()).user?.email).to.equal(awake.email)
      expect(told()).to.equal(0)
    }
  })
})

describe('a pending refresh', () => {
  const answering = answersOfTests()
  const OLD = { accessToken: 'old', refreshToken: 'old' }
  const view = { jwt: 'renewed', refreshToken: 'renewed', loggedIn: true }

  /** A client whose requests wait until the gate is opened. */
  const held = async (answer: Answer) => {
    const gate = createGate()
    const server = await answering(answer)
    const around: Options['around'] = async (_path, send) => {
      await gate.pass()
      return await send()
    }
    const watched = clientOf(server, { tokens: OLD, around })
    const refresh = watched.client.refresh()
    await gate.reached
    return { ...watched, gate, refresh }
  }

  it('does not end a session that another tab has started in the meantime if the refresh is rejected', async () => {
    const { client, told, gate, refresh } = await held(replying(401, LOGGED_OUT))
    client.adopt({ accessToken: 'new', refreshToken: 'new' })
    const error = failureOf(refresh)
    gate.release()
    expect((await error).status).to.equal(401)
    expect([client.tokens()?.accessToken, told()]).to.deep.equal(['new', 0])
  })

  it('does not restore a session that another tab has ended in the meantime', async () => {
    const { client, told, gate, refresh } = await held(replying(200, JSON.stringify({ view })))
    client.adopt(undefined)
    gate.release()
    await refresh
    expect([client.tokens(), told()]).to.deep.equal([undefined, 1])
  })

  it('delays a login and a logout, so that no late cookie replaces the new cookie', async () => {
    const { client, sent, gate, refresh } = await held(replying(200, JSON.stringify({ view })))
    const changes = [client.login('ada@example.com', 'secret'), client.logout()]
    await new Promise((resolve) => setImmediate(resolve))
    expect(sent.map(({ path }) => path)).to.deep.equal([REFRESH])
    gate.release()
    await Promise.all([refresh, ...changes])
    expect(sent.map(({ path }) => path)).to.deep.equal([REFRESH, LOGIN, LOGOUT])
    expect(client.tokens()).to.equal(undefined)
  })
})

describe('a rejected logout', () => {
  const answering = answersOfTests()

  it('ends the session in the client', async () => {
    const server = await answering(replying(401, LOGGED_OUT))
    const { client, told } = clientOf(server, { tokens: { accessToken: 'one', refreshToken: 'two' } })
    expect((await failureOf(client.logout())).status).to.equal(401)
    expect([client.tokens(), told()]).to.deep.equal([undefined, 0])
  })
})

describe('a session that was ended by the service', () => {
  const service = sharedService()

  /** Another client has used the same refresh token first, so this client's refresh is rejected. */
  const robbed = async (options = {}) => {
    const cookieJar = createCookieJar()
    const victim = await newcomer(service, { cookieJar, ...options })
    const copy = createCookieJar()
    copy.set(cookieJar.get())
    const thief = clientOf(service, { cookieJar: copy, tokens: victim.client.tokens()! })
    await thief.client.refresh()
    service.clock.now += ACCESS_TTL + 10_001
    return { victim, thief }
  }

  for (const [whose, options, calls] of [
    ['its own 401', { now: () => START }, CALLS],
    ['the 401 of the refresh if the client knows that the token has expired', {}, 0],
  ] as const)
    it(`makes each call fail once with ${whose}, and notifies the application once`, async () => {
      const { victim, thief } = await robbed(options)
      const errors = await Promise.all(atOnce(CALLS, () => failureOf(victim.client.getIdentity())))
      for (const { status, code } of errors) expect([status, code]).to.deep.equal([401, 'InvalidToken'])
      expect([victim.count(GET_IDENTITY), victim.count(REFRESH), victim.told()]).to.deep.equal([calls, 1, 1])
      expect(victim.client.tokens()).to.equal(undefined)
      for (const late of [victim.client.getIdentity, victim.client.refresh, thief.client.getIdentity])
        expect((await failureOf(late())).status).to.equal(401)
      expect([victim.count(REFRESH), victim.told()]).to.deep.equal([1, 1])
    })

  it('makes `fetch` return the original 401 response', async () => {
    const { victim } = await robbed({ now: () => START })
    const response = await victim.client.fetch(GET_IDENTITY)
    expect(response.status).to.equal(401)
    expect(await response.json()).to.have.property('response', false)
  })
})
