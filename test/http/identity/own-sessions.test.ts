import { expect } from 'chai'
import { expectAlive, expectDead } from '../../support/http/acting.js'
import {
  createBrowser,
  END_SESSIONS as END,
  newcomer,
  sessionIdOf,
  SESSIONS as LIST,
  setCookies,
  type Browser,
} from '../../support/http/browser.js'
import type { Reply } from '../../support/http/client.js'
import { comparable } from '../../support/http/expected.js'
import { PASSWORD, startService, type TestService } from '../../support/http/service.js'
import { servicesOfTests } from '../../support/http/services.js'
import { collectingLog } from '../../support/log-collector.js'

const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:130.0) Gecko/20100101 Firefox/130.0'

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

describe('one’s own sessions over HTTP', () => {
  let service: TestService
  const mode = 'stateful'
  before(async () => {
    service = await startService({ mode })
  })
  after(() => service.close())

  async function elsewhere({ email }: Browser): Promise<Browsed> {
    service.clock.now += 1_000
    const browser = createBrowser(service, email)
    await browser.login()
    return { ...browser, sessionId: sessionIdOf(browser.held().accessToken) }
  }

  it('are listed with client, network and times', async () => {
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

  it('come in pages with the same link headers as the pets', async () => {
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

  it('are ended by ID, once, including the current session', async () => {
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

  it('are ended all except the current session', async () => {
    const browser = await newcomer(service)
    const others = [await elsewhere(browser), await elsewhere(browser)]
    const foreign = await newcomer(service)
    const reply = await end(browser, { others: true })
    expect([reply.json, setCookies(reply)]).to.deep.equal([ended(2), []])
    for (const other of others) await expectDead(service, other.held())
    for (const kept of [browser, foreign]) await expectAlive(service, kept.held())
    expect((await end(browser, { others: true })).json).to.deep.equal(ended(0))
  })

  it('are hidden from other accounts: the same bytes as for an unknown session', async () => {
    const [browser, foreign] = [await newcomer(service), await newcomer(service)]
    const theirs = await end(browser, { id: sessionIdOf(foreign.held().accessToken) })
    const nothing = await end(browser, { id: 'qT3xEXAMPLE-EXAMPLE_uQ' })
    expect(theirs.status).to.equal(404)
    expect(comparable(theirs)).to.deep.equal(comparable(nothing))
    for (const id of ['', ' ', '\0', '\ud800', '$ne', "' OR 1=1 --", 'x'.repeat(10_000)])
      expect(comparable(await end(browser, { id })), id.slice(0, 9)).to.deep.equal(comparable(nothing))
    await expectAlive(service, foreign.held())
  })
})

describe('the User-Agent of a client', () => {
  const serve = servicesOfTests()

  it('fails no login and appears in no log, however odd it is', async () => {
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

  it('have no route and no description', async () => {
    const service = await serve({ mode: 'stateless-revocable' })
    const browser = await newcomer(service)
    expect((await list(browser)).status).to.equal(404)
    expect((await end(browser, { others: true })).status).to.equal(404)
    const { paths } = (await service.client.call('GET', '/openapi.json')).json as { paths: object }
    expect(paths).to.not.have.any.keys(LIST, END)
    expect(paths).to.have.any.keys('/api/auth/change-password')
  })
})
