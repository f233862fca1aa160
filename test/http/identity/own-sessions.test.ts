import { expect } from 'chai'
import { DEFAULT_PERMISSIONS } from '../../../src/domain/access/permissions.js'
import { expectAlive, expectDead, impersonation } from '../../support/http/acting.js'
import {
  createBrowser,
  credentials,
  END_SESSIONS as END,
  newcomer,
  sessionIdOf,
  SESSIONS as LIST,
  setCookies,
  type Browser,
} from '../../support/http/browser.js'
import type { Reply } from '../../support/http/client.js'
import { comparable, expectInvalidToken, loggedOut, UNAVAILABLE } from '../../support/http/expected.js'
import { PASSWORD, startService, type TestService } from '../../support/http/service.js'
import { servicesOfTests } from '../../support/http/services.js'
import { collectingLog } from '../../support/log-collector.js'
import { STORES, type OpenedStore } from '../../support/stores.js'

const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:130.0) Gecko/20100101 Firefox/130.0'
const WIDTH = 16
const WHILE_ACTING = loggedOut(403, {
  message: 'This is not possible while you act as somebody else.',
  field: '',
  type: 'Forbidden',
})

type Shown = Readonly<Record<'id' | 'createdAt' | 'refreshedAt', string>> & {
  readonly network: string | null
  readonly client: string | null
  readonly current: boolean
  readonly impersonated: boolean
}
type Browsed = Browser & { readonly sessionId: string }

const list = (browser: Browser, query = '') => browser.send('GET', `${LIST}${query}`)
const end = (browser: Browser, json: unknown) => browser.send('POST', END, { json })
const shownIn = (reply: Reply) => (reply.json as { view: { sessions: readonly Shown[] } }).view.sessions
const ended = (count: number) => ({ code: 200, response: true, view: { ended: count, messages: [] } })

for (const { name, open } of STORES) {
  describe(`one’s own sessions over HTTP, on the ${name} store`, () => {
    const serve = servicesOfTests()
    let opened: OpenedStore
    let service: TestService
    const mode = 'stateful'
    before(async () => {
      opened = await open()
      service = await startService({ store: opened.store, mode })
    })
    after(async () => {
      await service.close()
      await opened.remove()
    })

    async function elsewhere({ email }: Browser): Promise<Browsed> {
      service.clock.now += 1_000
      const browser = createBrowser(service, email)
      await browser.login()
      return { ...browser, sessionId: sessionIdOf(browser.held().accessToken) }
    }

    it('are shown with what is known of each', async () => {
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

    it('come in pages that are told of as those of the pets are', async () => {
      const browser = await newcomer(service)
      const others = [await elsewhere(browser), await elsewhere(browser), await elsewhere(browser)]
      const walked: string[] = []
      let query: string | undefined = '?limit=1'
      while (query !== undefined) {
        const reply: Reply = await list(browser, query)
        walked.push(...shownIn(reply).map(({ id }) => id))
        const next = reply.headers['x-next'] as string | undefined
        expect(reply.headers['link']).to.equal(next && `<${next}>; rel="next"`)
        query = next?.slice(next.indexOf('?'))
      }
      const expected = [sessionIdOf(browser.held().accessToken), ...others.map(({ sessionId }) => sessionId)]
      expect(walked).to.deep.equal(expected)
      for (const bad of [
        '?limit=0',
        '?limit=101',
        '?limit=x',
        '?cursor=x',
        '?cursor=cDE6MjA',
        '?limit=1&limit=2',
      ])
        expect((await list(browser, bad)).status, bad).to.equal(400)
    })

    it('come each once on pages of one, also where all were begun at one moment', async () => {
      const browser = await newcomer(service)
      const others = await Promise.all(
        Array.from({ length: 6 }, async () => {
          const other = createBrowser(service, browser.email)
          await other.login()
          return sessionIdOf(other.held().accessToken)
        }),
      )
      const walked: string[] = []
      for (let query: string | undefined = '?limit=1'; query !== undefined;) {
        const reply: Reply = await list(browser, query)
        walked.push(...shownIn(reply).map(({ id }) => id))
        const next = reply.headers['x-next'] as string | undefined
        query = next?.slice(next.indexOf('?'))
      }
      expect(walked).to.have.lengthOf(7)
      expect(walked).to.have.members([sessionIdOf(browser.held().accessToken), ...others])
    })

    it('are ended by their id, once, and this one too', async () => {
      const browser = await newcomer(service)
      const other = await elsewhere(browser)
      expect((await end(browser, { id: other.sessionId })).json).to.deep.equal(ended(1))
      await expectDead(service, other.held())
      expect((await end(browser, { id: other.sessionId })).status).to.equal(404)
      const before = browser.held()
      const last = await end(browser, { id: sessionIdOf(before.accessToken) })
      expect(last.json).to.deep.equal(ended(1))
      expect(setCookies(last)[0]).to.match(/^[^=]+=;/)
      await expectDead(service, before)
    })

    it('are ended all but this one', async () => {
      const browser = await newcomer(service)
      const others = [await elsewhere(browser), await elsewhere(browser)]
      const foreign = await newcomer(service)
      const reply = await end(browser, { others: true })
      expect([reply.json, setCookies(reply)]).to.deep.equal([ended(2), []])
      for (const other of others) await expectDead(service, other.held())
      for (const kept of [browser, foreign]) await expectAlive(service, kept.held())
      expect((await end(browser, { others: true })).json).to.deep.equal(ended(0))
    })

    it('are not told of where they are another’s: the same bytes as of no session', async () => {
      const [browser, foreign] = [await newcomer(service), await newcomer(service)]
      const theirs = await end(browser, { id: sessionIdOf(foreign.held().accessToken) })
      const nothing = await end(browser, { id: 'qT3xEXAMPLE-EXAMPLE_uQ' })
      expect(theirs.status).to.equal(404)
      expect(comparable(theirs)).to.deep.equal(comparable(nothing))
      for (const id of ['', ' ', '\0', '\ud800', '$ne', "' OR 1=1 --", 'x'.repeat(10_000)])
        expect(comparable(await end(browser, { id })), id.slice(0, 9)).to.deep.equal(comparable(nothing))
      await expectAlive(service, foreign.held())
    })

    it('are neither shown nor ended without an identity, or with half of one', async () => {
      const browser = await newcomer(service)
      const { cookie, accessToken } = browser.held()
      for (const half of [{}, { cookie }, { accessToken }]) {
        const headers = credentials(half)
        expectInvalidToken(await service.client.call('GET', LIST, { headers }))
        expectInvalidToken(await service.client.call('POST', END, { headers, json: { others: true } }))
      }
      await expectAlive(service, browser.held())
    })

    it('are neither shown nor ended while acting as another account', async () => {
      const { browser, target } = await impersonation(service)
      for (const reply of [await list(browser), await end(browser, { others: true })])
        expect(reply.json).to.deep.equal(WHILE_ACTING)
      for (const kept of [browser, target]) await expectAlive(service, kept.held())
      const shown = shownIn(await list(target))
      expect(shown.map(({ impersonated, network }) => [impersonated, network])).to.have.deep.members([
        [false, '127.0.0.1'],
        [true, null],
      ])
    })

    it('are neither shown nor ended where the permission file does not give it', async () => {
      const { user: _, ...roles } = DEFAULT_PERMISSIONS.roles
      const strict = await serve({ store: opened.store, permissions: { roles }, mode })
      const browser = await newcomer(strict)
      expect((await list(browser)).status).to.equal(403)
      expect((await end(browser, { others: true })).status).to.equal(403)
    })

    it('are not ended where it is not said which', async () => {
      const browser = await newcomer(service)
      const wrong = [
        {},
        { others: false },
        { id: 'x', others: true },
        { id: 7 },
        { others: 'true' },
        { id: {} },
      ]
      for (const json of wrong) expect((await end(browser, json)).status, JSON.stringify(json)).to.equal(400)
      await expectAlive(service, browser.held())
    })

    it(`of ${WIDTH} ends of one at once one is told of it`, async () => {
      const browser = await newcomer(service)
      const { sessionId: id } = await elsewhere(browser)
      const replies = await Promise.all(Array.from({ length: WIDTH }, () => end(browser, { id })))
      const statuses = replies.map(({ status }) => status).sort()
      expect(statuses).to.deep.equal([200, ...Array.from({ length: WIDTH - 1 }, () => 404)])
    })

    it(`of ${WIDTH} ends of all others at once each session is counted by one`, async () => {
      const browser = await newcomer(service)
      const others = [await elsewhere(browser), await elsewhere(browser), await elsewhere(browser)]
      const replies = await Promise.all(Array.from({ length: WIDTH }, () => end(browser, { others: true })))
      const counts = replies.map(({ json }) => (json as { view: { ended: number } }).view.ended)
      expect(counts.reduce((sum, count) => sum + count, 0)).to.equal(3)
      for (const other of others) await expectDead(service, other.held())
      await expectAlive(service, browser.held())
    })

    it('are not ended where the login began after an end of all others was answered', async () => {
      const browser = await newcomer(service)
      const logins = Array.from({ length: WIDTH / 2 }, async () => await elsewhere(browser))
      const [reply] = await Promise.all([end(browser, { others: true }), ...logins])
      expect(reply.status).to.equal(200)
      const later = await elsewhere(browser)
      for (const kept of [browser, later]) await expectAlive(service, kept.held())
    })

    it('are 503 where the store is away', async () => {
      const own = await open()
      const cut = await serve({ store: own.store, mode })
      const browser = await newcomer(cut)
      await own.store.close()
      for (const reply of [await list(browser), await end(browser, { others: true })])
        expect([reply.status, reply.json]).to.deep.equal([503, UNAVAILABLE])
      await own.remove()
    })

    it('are no more than SESSION_LIMIT says', async () => {
      const limited = await serve({ store: opened.store, sessionLimit: 2, mode })
      const first = await newcomer(limited)
      const others = [createBrowser(limited, first.email), createBrowser(limited, first.email)] as const
      for (const other of others) {
        limited.clock.now += 1_000
        await other.login()
      }
      await expectDead(limited, first.held())
      for (const other of others) await expectAlive(limited, other.held())
    })

    for (const sessionLimit of [1, 3])
      it(`are ${sessionLimit} where SESSION_LIMIT says so and ${WIDTH} logins are made at once`, async () => {
        const limited = await serve({ store: opened.store, sessionLimit, mode })
        const { email } = await newcomer(limited)
        limited.clock.now += 1_000
        const browsers = Array.from({ length: WIDTH }, () => createBrowser(limited, email))
        const replies = await Promise.all(browsers.map((browser) => browser.login()))
        expect(new Set(replies.map(({ status }) => status))).to.deep.equal(new Set([200]))
        const lists = await Promise.all(browsers.map((browser) => list(browser)))
        const alive = lists.filter(({ status }) => status === 200)
        expect(alive.map((reply) => shownIn(reply).length)).to.deep.equal(alive.map(() => sessionLimit))
        expect(alive).to.have.lengthOf(sessionLimit)
      })
  })
}

describe('what a client calls itself', () => {
  const serve = servicesOfTests()

  it('fails no login, and stands in no log, however odd it is', async () => {
    const { log, text } = collectingLog()
    const service = await serve({ mode: 'stateful', log })
    const { email } = await newcomer(service)
    const odd = [
      'canary-of-a-client/1.0',
      '"><script>canary</script>',
      '\u00e9'.repeat(5_000),
      ' ',
      'a'.repeat(4_000),
    ]
    for (const userAgent of odd) {
      const headers = { 'User-Agent': userAgent }
      const json = { email, password: PASSWORD }
      const reply = await service.client.call('POST', '/api/auth/login', { headers, json })
      expect(reply.status, userAgent.slice(0, 20)).to.equal(200)
    }
    const browser = createBrowser(service, email)
    await browser.login()
    const names = shownIn(await list(browser)).map(({ client }) => client)
    for (const one of names) expect(one ?? '').to.match(/^[\w ./()+-]{0,64}$/)
    expect(names.some((one) => one?.includes('canary'))).to.equal(true)
    expect(text()).to.not.include('canary')
    expect(JSON.stringify(await service.store.audit.page({ limit: 100 }))).to.not.include('canary')
  })
})

describe('one’s own sessions in stateless mode', () => {
  const serve = servicesOfTests()

  it('are at no path, and not in the description', async () => {
    const service = await serve({ mode: 'stateless-revocable' })
    const browser = await newcomer(service)
    expect((await list(browser)).status).to.equal(404)
    expect((await end(browser, { others: true })).status).to.equal(404)
    const { paths } = (await service.client.call('GET', '/openapi.json')).json as { paths: object }
    expect(paths).to.not.have.any.keys(LIST, END)
    expect(paths).to.have.any.keys('/api/auth/change-password')
  })
})
