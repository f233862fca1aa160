import { expect } from 'chai'
import { createCookieJar, createKennelClient, type LoginStorage } from '../../src/client/index.js'
import { GET_IDENTITY, REFRESH } from '../support/http/browser.js'
import { withGlobals } from '../support/globals.js'
import { PASSWORD, sharedService } from '../support/http/service.js'
import { clientOf, failureOf, newcomer } from './clients.js'

const baseUrl = 'https://pets.example'
const PAIR = { accessToken: 'a', refreshToken: 'r' }

type Texts = Map<string, string>

function storageOf(texts: Texts): LoginStorage {
  return {
    getItem: (key) => texts.get(key) ?? null,
    setItem: (key, value) => void texts.set(key, value),
    removeItem: (key) => void texts.delete(key),
  }
}

/** Throws on any access. */
const untouched: LoginStorage = {
  getItem: () => expect.fail('was read'),
  setItem: () => expect.fail('was written'),
  removeItem: () => expect.fail('was written'),
}

describe('a stored session', () => {
  const service = sharedService()
  const texts: Texts = new Map()
  beforeEach(() => {
    texts.clear()
  })

  /** A page, and the same page after a reload. */
  async function twice() {
    const shared = { cookieJar: createCookieJar(), storage: storageOf(texts) }
    const earlier = await newcomer(service, shared)
    return { earlier, again: () => clientOf(service, shared) }
  }

  it('survives a reload: the identity is known immediately, and no expired token is sent', async () => {
    const { earlier, again } = await twice()
    const { client, sent } = again()
    expect(client.identity()).to.deep.equal(earlier.client.identity())
    expect(client.tokens()).to.deep.equal(earlier.client.tokens())
    expect((await client.getIdentity()).user?.email).to.equal(earlier.email)
    expect(sent.map(({ path, status }) => [path, status])).to.deep.equal([[GET_IDENTITY, 200]])
    service.clock.now += 900_001
    const later = again()
    await later.client.getIdentity()
    expect(later.sent.map(({ path }) => path)).to.deep.equal([REFRESH, GET_IDENTITY])
  })

  it('is updated with each new token pair, and never contains the password', async () => {
    const { earlier, again } = await twice()
    service.clock.now += 60_000
    await earlier.client.refresh()
    expect(again().client.tokens()).to.deep.equal(earlier.client.tokens())
    expect([...texts.keys()]).to.deep.equal([`kennel-id ${service.origin}/`])
    const [text = ''] = texts.values()
    expect(Object.keys(JSON.parse(text) as object)).to.deep.equal(['accessToken', 'refreshToken', 'identity'])
  })

  it('is removed after a logout', async () => {
    const { earlier, again } = await twice()
    await earlier.client.logout()
    expect([texts.size, again().client.identity()]).to.deep.equal([0, undefined])
  })

  it('is removed after the service has rejected the session', async () => {
    const { earlier, again } = await twice()
    await service.store.sessions.endAllOf(earlier.id as never)
    const { client, told } = again()
    expect((await failureOf(client.getIdentity())).status).to.equal(401)
    expect([texts.size, told(), client.identity()]).to.deep.equal([0, 1, undefined])
  })

  it('is separate for each service', async () => {
    const { earlier } = await twice()
    const elsewhere = createKennelClient({ baseUrl, storage: storageOf(texts) })
    expect(elsewhere.tokens()).to.equal(undefined)
    expect(texts.size).to.equal(1)
    expect((await earlier.client.getIdentity()).user?.email).to.equal(earlier.email)
  })

  it('is kept in memory if the storage throws errors', async () => {
    const fail = () => {
      throw new DOMException('full', 'QuotaExceededError')
    }
    const failing = { getItem: fail, setItem: fail, removeItem: fail }
    const { client, email } = await newcomer(service, { storage: failing })
    expect((await client.getIdentity()).user?.email).to.equal(email)
    await client.logout()
    expect(client.tokens()).to.equal(undefined)
  })
})

describe('a remembered session', () => {
  const service = sharedService({ rememberLogin: true })
  const [lasting, tab]: readonly [Texts, Texts] = [new Map(), new Map()]
  beforeEach(() => {
    lasting.clear()
    tab.clear()
  })

  type Shared = Parameters<typeof clientOf>[1]
  /** Calls `run` in a page that keeps its login in memory or, with `storage`, in the session storage. */
  const inPage = (run: (shared: Shared, email: string) => Promise<void>, storage?: 'sessionStorage') => {
    const storages = { localStorage: storageOf(lasting), sessionStorage: storageOf(tab) }
    return withGlobals({ document: {}, ...storages }, async () => {
      const shared = { cookieJar: createCookieJar(), ...(storage && { storage }) }
      const { client, email } = await newcomer(service, shared)
      await client.logout()
      await run(shared, email)
    })
  }
  const sizes = () => [lasting.size, tab.size]

  for (const storage of ['sessionStorage', undefined] as const)
    it(`is in local storage until the logout, even after a restart: ${storage ?? 'memory'}`, async () => {
      await inPage(async (shared, email) => {
        await clientOf(service, shared).client.login(email, PASSWORD, { remember: true })
        expect(sizes()).to.deep.equal([1, 0])
        const { client } = clientOf(service, shared)
        expect(client.identity()?.user?.email).to.equal(email)
        await client.refresh()
        const kept = { ...client.tokens(), identity: client.identity(), remember: true }
        expect([...lasting.values(), ...tab.values()]).to.deep.equal([JSON.stringify(kept)])
        await clientOf(service, shared).client.logout()
        expect([sizes(), clientOf(service, shared).client.tokens()]).to.deep.equal([[0, 0], undefined])
      }, storage)
    })

  it('is moved out of local storage by a new login without `remember`', async () => {
    await inPage(async (shared, email) => {
      const { client } = clientOf(service, shared)
      for (const choices of [{ remember: false }, {}, undefined]) {
        await client.login(email, PASSWORD, { remember: true })
        expect(sizes()).to.deep.equal([1, 0])
        await client.login(email, PASSWORD, choices)
        expect(sizes()).to.deep.equal([0, 1])
      }
    }, 'sessionStorage')
  })

  it('is moved out of local storage by a password change', async () => {
    await inPage(async (shared, email) => {
      const { client } = clientOf(service, shared)
      await client.login(email, PASSWORD, { remember: true })
      const change = { password: PASSWORD, newPassword: 'a quiet river at dusk' }
      await client.replaceLogin('/api/auth/change-password', change)
      await client.refresh()
      expect(sizes()).to.deep.equal([0, 1])
    }, 'sessionStorage')
  })

  it('is kept in the storage object that the page passes in', async () => {
    await withGlobals({ document: {}, localStorage: untouched }, async () => {
      const shared = { cookieJar: createCookieJar(), storage: storageOf(tab) }
      const { client, email } = await newcomer(service, shared)
      await client.login(email, PASSWORD, { remember: true })
      expect(tab.size).to.equal(1)
    })
  })
})

describe('the storage of a client', () => {
  const key = `kennel-id ${baseUrl}/`

  for (const text of [
    ...['', 'null', '7', '"text"', '[]', '{}', '{"accessToken":"a"', 'undefined', '{"accessToken":"a"}'],
    ...[
      { ...PAIR, accessToken: 7 },
      { ...PAIR, refreshToken: '' },
      { ...PAIR, accessToken: 'a b' },
      { ...PAIR, refreshToken: 'r\n' },
      { ...PAIR, identity: null },
      { ...PAIR, identity: { loggedIn: true } },
    ].map((login) => JSON.stringify(login)),
  ])
    it(`drops an invalid session: ${JSON.stringify(text)}`, () => {
      const texts: Texts = new Map([[key, text]])
      const client = createKennelClient({ baseUrl, storage: storageOf(texts) })
      expect([client.tokens(), client.identity(), texts.size]).to.deep.equal([undefined, undefined, 0])
    })

  it('is memory by default', async () => {
    await withGlobals({ sessionStorage: untouched, localStorage: untouched }, () => {
      const client = createKennelClient({ baseUrl, tokens: PAIR })
      client.adopt(undefined)
      expect(client.tokens()).to.equal(undefined)
    })
  })

  it('is session storage on request, and local storage is not used', async () => {
    const texts: Texts = new Map([[key, JSON.stringify(PAIR)]])
    await withGlobals({ sessionStorage: storageOf(texts), localStorage: untouched }, () => {
      const client = createKennelClient({ baseUrl, storage: 'sessionStorage' })
      expect(client.tokens()).to.deep.equal(PAIR)
      client.adopt(undefined)
      expect(texts.size).to.equal(0)
    })
  })

  it('is memory if session storage is missing or blocked', async () => {
    const refusing = {
      get sessionStorage() {
        throw new DOMException('blocked', 'SecurityError')
      },
    }
    for (const globals of [{ sessionStorage: undefined }, refusing])
      await withGlobals(globals, () => {
        const client = createKennelClient({ baseUrl, storage: 'sessionStorage' })
        client.adopt(PAIR)
        expect(client.tokens()).to.deep.equal(PAIR)
      })
  })

  it('is overwritten by a token pair that is passed in', () => {
    const texts: Texts = new Map([[key, JSON.stringify({ accessToken: 'old', refreshToken: 'old' })]])
    const client = createKennelClient({ baseUrl, tokens: PAIR, storage: storageOf(texts) })
    expect([client.tokens(), texts.get(key)]).to.deep.equal([PAIR, JSON.stringify(PAIR)])
  })
})
