import { spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { expect } from 'chai'
import { createCookieJar, createKennelClient, type Login } from '../../src/client/index.js'
import { readToken } from '../../src/client/login.js'
import { GET_IDENTITY, REFRESH } from '../support/http/browser.js'
import { PASSWORD, sharedService } from '../support/http/service.js'
import { createGate } from '../support/watched-store.js'
import { withGlobals } from '../support/globals.js'
import { clientOf, newcomer, until, type Options, type Watched } from './clients.js'

const CLIENT = join(import.meta.dirname, '..', '..', 'src', 'client', 'index.js')

describe('tabs that share a channel', () => {
  const service = sharedService()
  const opened: Watched[] = []
  afterEach(() => {
    for (const { client } of opened.splice(0)) client.close()
  })

  /** Two tabs that share one browser's cookie: one tab is logged in, and both request logs are empty. */
  async function twoTabs(options: Options = {}) {
    const shared = { cookieJar: createCookieJar(), tabs: randomUUID() }
    const one = await newcomer(service, { ...shared, ...options })
    const other = clientOf(service, shared)
    opened.push(one, other)
    await until(other.client, () => other.client.identity() !== undefined)
    return { one, other, ...shared }
  }

  /** Posts messages on the channel and waits for a tab's reply, which shows that the tab has processed all messages. */
  async function say(tabs: string, messages: readonly unknown[], answers = 2): Promise<void> {
    const channel = new BroadcastChannel(tabs)
    for (const message of messages) channel.postMessage(message)
    const heard = new Promise<void>((resolve) => {
      let count = 0
      channel.onmessage = () => {
        count += 1
        if (count === answers) resolve()
      }
    })
    channel.postMessage({ asked: true })
    await heard
    channel.close()
  }

  const loginOf = ({ client }: Watched): Login => ({ ...client.tokens()!, identity: client.identity() })

  it('share a refreshed token pair without a further request', async () => {
    const { one, other } = await twoTabs()
    const before = one.client.tokens()
    service.clock.now += 60_000
    await one.client.refresh()
    await until(other.client, () => other.client.tokens()?.refreshToken !== before?.refreshToken)
    expect(other.client.tokens()).to.deep.equal(one.client.tokens())
    expect(other.sent).to.deep.equal([])
    service.clock.now += 60_000
    await other.client.getIdentity()
    expect(other.sent.map(({ path, status }) => [path, status])).to.deep.equal([[GET_IDENTITY, 200]])
  })

  it('are all logged out by one logout', async () => {
    const { one, other } = await twoTabs()
    await one.client.logout()
    await until(other.client, () => other.client.tokens() === undefined)
    expect([other.client.identity(), one.told(), other.told()]).to.deep.equal([undefined, 0, 1])
  })

  it('stay logged out if messages about the session arrive late, and so does a new tab', async () => {
    const { one, other, ...shared } = await twoTabs()
    const late = loginOf(one)
    await one.client.logout()
    await until(other.client, () => other.client.tokens() === undefined)
    const third = clientOf(service, shared)
    opened.push(third)
    const users: unknown[] = []
    for (const { client } of opened) client.subscribe(() => users.push(client.identity()?.user?.email))
    const next = await newcomer(service)
    const { session } = readToken(late.accessToken)
    const repeated = [{ login: late }, { login: late, answer: true }]
    await say(shared.tabs, [{ over: true, session }, ...repeated, { login: loginOf(next) }], 3)
    expect(users).to.deep.equal([next.email, next.email, next.email])
  })

  it('are all logged out if the refresh of one tab is rejected', async () => {
    const { one, other } = await twoTabs()
    await service.store.sessions.endAllOf(one.id as never)
    await one.client.refresh().catch(() => undefined)
    await until(other.client, () => other.client.tokens() === undefined)
    expect([one.told(), other.told()]).to.deep.equal([1, 1])
  })

  it("adopt another account's session, even an older one, and ignore messages that end the previous session", async () => {
    const earlier = loginOf(await newcomer(service))
    service.clock.now += 60_000
    const { one, tabs } = await twoTabs()
    const over = { over: true, session: 'another' }
    await say(tabs, [{ login: earlier }, over, { over: true }, { over: false, session: null }])
    expect(loginOf(one)).to.deep.equal(earlier)
    expect(one.told()).to.equal(0)
  })

  it('never return to an older token pair, even if messages and replies arrive late', async () => {
    const stranger = loginOf(await newcomer(service))
    const { one, tabs } = await twoTabs()
    const old = loginOf(one)
    service.clock.now += 60_000
    await one.client.refresh()
    const held = loginOf(one)
    await say(tabs, [{ login: old }, { login: old, answer: true }, { login: stranger, answer: true }])
    expect(loginOf(one)).to.deep.equal(held)
  })

  it('have the same token pair after refreshing at the same time', async () => {
    const { one, other } = await twoTabs()
    service.clock.now += 60_000
    await Promise.all([one.client.refresh(), other.client.refresh()])
    expect(other.client.tokens()).to.deep.equal(one.client.tokens())
    expect((await other.client.getIdentity()).user?.email).to.equal(one.email)
  })

  it('use the token pair of their own refresh even if another tab announces an older pair', async () => {
    const gate = createGate()
    const { one, tabs } = await twoTabs({
      around: async (path, send) => {
        if (path === REFRESH) await gate.pass()
        return await send()
      },
    })
    const held = loginOf(one)
    service.clock.now += 60_000
    const refresh = one.client.refresh()
    await gate.reached
    await say(tabs, [{ login: held }])
    gate.release()
    await refresh
    expect(one.client.tokens()?.refreshToken).to.not.equal(held.refreshToken)
  })

  it('do not refresh a token pair that another tab has refreshed in the meantime', async () => {
    const gate = createGate()
    let turns: Promise<unknown> = Promise.resolve()
    const request = (_name: string, _options: object, act: () => unknown) => (turns = turns.then(act))
    await withGlobals({ navigator: { locks: { request } } }, async () => {
      const { one, cookieJar, tabs } = await twoTabs()
      void request('', {}, gate.pass)
      const refresh = one.client.refresh()
      await gate.reached
      service.clock.now += 60_000
      const third = clientOf(service, { cookieJar, tokens: one.client.tokens()! })
      await third.client.refresh()
      await say(tabs, [{ login: loginOf(third) }])
      gate.release()
      expect((await refresh).user?.email).to.equal(one.email)
      expect([one.sent, loginOf(one)]).to.deep.equal([[], loginOf(third)])
    })
  })

  it('ignore malformed messages', async () => {
    const { one, tabs } = await twoTabs()
    const held = loginOf(one)
    const pair = { accessToken: 'a', refreshToken: 'r' }
    const tokens = [1, '', 'r\r\nX: y', 'é'].map((accessToken) => ({ ...pair, accessToken }))
    const wrong = [null, 'ada', {}, { loggedIn: true, user: null }, { ...held.identity, loggedIn: false }]
    const identities = wrong.map((identity) => ({ ...pair, identity }))
    const logins = [null, 'text', {}, [], { accessToken: 'a' }, ...tokens, ...identities]
    const messages = [undefined, null, 'text', 7, [], {}, { asked: 1 }, { over: 'yes' }, new Map()]
    await say(tabs, [...messages, ...logins.flatMap((login) => [{ login }, { login, answer: true }])])
    expect(loginOf(one)).to.deep.equal(held)
    expect(one.told()).to.equal(0)
  })

  it('exchange no messages with a closed tab', async () => {
    const { one, other, tabs } = await twoTabs()
    const before = other.client.tokens()
    one.client.close()
    one.client.close()
    service.clock.now += 60_000
    await one.client.refresh()
    await say(tabs, [], 1)
    expect(other.client.tokens()).to.deep.equal(before)
    other.client.close()
    expect((await one.client.getIdentity()).user?.email).to.equal(one.email)
  })

  it('keep working without the lock if they cannot acquire it in time', async () => {
    const request = () => Promise.reject(new DOMException('timed out', 'TimeoutError'))
    await withGlobals({ navigator: { locks: { request } } }, async () => {
      const { one } = await twoTabs()
      expect((await one.client.login(one.email, PASSWORD)).user?.email).to.equal(one.email)
    })
  })
})

describe('the channel that tabs share', () => {
  const baseUrl = 'https://pets.example'

  /** Returns the names of the channels that a client opens in a page at this address. */
  async function namesOf(options: object, baseURI?: string): Promise<string[]> {
    const names: string[] = []
    class BroadcastChannel {
      onmessage = null
      constructor(name: string) {
        names.push(name)
      }
      postMessage() {}
      close() {}
    }
    const page = baseURI === undefined ? {} : { document: { baseURI }, location: { href: baseURI } }
    await withGlobals({ BroadcastChannel, ...page }, () => {
      createKennelClient({ baseUrl, ...options }).close()
    })
    return names
  }

  it("is the same for every spelling of a service's address", async () => {
    const page = 'https://pets.example/deep/page.html'
    for (const same of ['', '/', baseUrl, `${baseUrl}/`, 'https://PETS.example:443'])
      expect(await namesOf({ baseUrl: same }, page), same).to.deep.equal([`kennel-id ${baseUrl}/`])
    const below = `kennel-id ${baseUrl}/kennel/`
    for (const prefixed of ['/kennel', '/kennel/', `${baseUrl}/kennel`])
      expect(await namesOf({ baseUrl: prefixed }, page), prefixed).to.deep.equal([below])
    const elsewhere = await namesOf({ baseUrl: 'https://dogs.example' }, page)
    expect(elsewhere).to.deep.equal(['kennel-id https://dogs.example/'])
  })

  it('has the configured name, even outside of pages', async () => {
    expect(await namesOf({ tabs: 'mine' }, baseUrl)).to.deep.equal(['mine'])
    expect(await namesOf({ tabs: 'mine' })).to.deep.equal(['mine'])
  })

  it('is not opened if it is turned off, if the client has a cookie jar, or if the client is not in a page', async () => {
    expect(await namesOf({ tabs: false }, baseUrl)).to.deep.equal([])
    expect(await namesOf({ cookieJar: createCookieJar() }, baseUrl)).to.deep.equal([])
    expect(await namesOf({})).to.deep.equal([])
  })

  it('is optional: the client works if the runtime lacks or blocks the channel', async () => {
    const refusing = function () {
      throw new DOMException('insecure', 'SecurityError')
    }
    for (const BroadcastChannel of [undefined, refusing])
      await withGlobals({ BroadcastChannel }, () => {
        expect(createKennelClient({ baseUrl, tabs: 'mine' }).tokens()).to.equal(undefined)
      })
  })

  it('does not prevent a program from ending', () => {
    const program = `
      const { createKennelClient } = await import(${JSON.stringify(new URL(`file://${CLIENT}`).href)})
      createKennelClient({ baseUrl: '${baseUrl}', tabs: 'mine' })
      console.log('made')`
    const args = ['--input-type=module', '--eval', program]
    const ended = spawnSync(process.execPath, args, { encoding: 'utf8', timeout: 60_000 })
    expect(ended).to.include({ status: 0, stdout: 'made\n', stderr: '' })
  })
})
