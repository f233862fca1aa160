import { expect } from 'chai'
import type { Account } from '../../../../src/domain/identity/account.js'
import type { Email } from '../../../../src/domain/identity/email.js'
import type { Session, SessionId } from '../../../../src/domain/identity/session.js'
import type { Store } from '../../../../src/ports/store.js'
import { createMemoryStore } from '../../../../src/adapters/memory/store.js'
import { createTellNewClient } from '../../../../src/application/identity/begin-login.js'
import type { Notice, Notices } from '../../../../src/application/mail/queue-mail.js'
import { aSession, NOW } from '../../../../src/contracts/samples.js'

const email = 'ada@example.com' as Email
const client = { address: '192.0.2.7', requestId: 'request' }
const FIREFOX = 'Firefox 130 on Linux'

describe('the new-client notice', () => {
  let store: Store
  let account: Account
  let told: Notice[]
  let reads: number

  const notices: Notices = {
    async send(topic, notice) {
      expect(topic).to.equal('new-client')
      const found = typeof notice === 'function' ? await notice() : notice
      if (found) told.push(found)
    },
  }

  beforeEach(async () => {
    store = createMemoryStore()
    told = []
    reads = 0
    await store.accounts.insert({ email, createdAt: NOW })
    const found = await store.accounts.findByEmail(email)
    if (!found) throw new Error('there is no account')
    account = found
  })

  let made = 0
  function session(name: string | undefined, change: Partial<Session> = {}): Session {
    made += 1
    const id = `session-${String(made).padStart(6, '0')}` as SessionId
    const openedBy = name === undefined ? {} : { openedBy: { client: name } }
    return { ...aSession(account, id), id, ...openedBy, ...change }
  }
  const opened = async (...given: Parameters<typeof session>) => {
    const one = session(...given)
    await store.sessions.open(one)
    return one
  }
  const counted = () => ({
    ...store.sessions,
    pageOf: (request: Parameters<Store['sessions']['pageOf']>[0]) => {
      reads += 1
      return store.sessions.pageOf(request)
    },
  })
  const tell = async (begun: Session, replaced?: Session) => {
    await createTellNewClient({ sessions: counted(), notices })({ account, session: begun, replaced, client })
  }

  it('treats two clients as the same only if they differ in nothing but the version', async () => {
    await opened('Firefox 130 on Linux')
    await tell(await opened('Firefox 131 on Linux'))
    await tell(await opened('Firefox on Linux'))
    await opened('curl 8')
    await tell(await opened('curl 9'))
    expect(told).to.deep.equal([])
    for (const other of ['Firefox 130 on Windows', 'Firefox 130', 'Chrome 130 on Linux', 'Linux'])
      await tell(await opened(other))
    expect(told.map(({ about }) => about)).to.deep.equal([
      ...['Firefox 130 on Windows', 'Firefox 130', 'Chrome 130 on Linux', 'Linux'],
    ])
  })

  it('compares a client with earlier sessions, ordered by creation time and then by ID', async () => {
    await opened(FIREFOX, { createdAt: NOW + 1 })
    await tell(await opened(FIREFOX))
    expect(told).to.have.lengthOf(1)
    const CHROME = 'Chrome 128 on Windows'
    const later = session(CHROME)
    await opened(CHROME, { createdAt: NOW - 1 })
    await tell(later)
    expect(told).to.have.lengthOf(1)
  })

  it('reports a client without a name', async () => {
    await opened(FIREFOX)
    await tell(await opened(undefined))
    expect(told).to.deep.equal([{ email, client, about: undefined }])
    await tell(await opened(undefined, { openedBy: { network: '192.0.2.7' } }))
    expect(told).to.have.lengthOf(1)
  })

  it('ignores ended sessions, sessions of other accounts and impersonations', async () => {
    await opened(FIREFOX, { endsAt: NOW })
    await store.accounts.insert({ email: 'bob@example.com' as Email, createdAt: NOW })
    const bob = await store.accounts.findByEmail('bob@example.com' as Email)
    if (!bob) throw new Error('there is no account')
    await opened(FIREFOX, { accountId: bob.id, epoch: bob.epoch })
    const actor = { accountId: bob.id, email: bob.email, epoch: bob.epoch, endsAt: NOW + 1_000 }
    await opened(FIREFOX, { actor })
    await tell(await opened(FIREFOX))
    expect(told).to.have.lengthOf(1)
  })

  it('reports only the first of several concurrent sessions', async () => {
    const all = [await opened(FIREFOX), await opened(FIREFOX), await opened(FIREFOX)]
    for (const one of all.toReversed()) await tell(one)
    expect(told).to.have.lengthOf(1)
    const [earliest] = all
    told = []
    if (earliest) await tell(earliest)
    expect(told).to.have.lengthOf(1)
  })

  it('reports nothing and reads no session if a client replaces its own session', async () => {
    const replaced = session(FIREFOX)
    const begun = await opened(FIREFOX)
    await tell(begun, replaced)
    expect([told, reads]).to.deep.equal([[], 0])
    await tell(begun, session('Chrome 128 on Windows'))
    await tell(begun, session(FIREFOX, { accountId: (account.id + 1) as Account['id'] }))
    expect([told.length, reads]).to.deep.equal([2, 2])
  })

  it('reads all sessions page by page, up to a limit', async () => {
    for (let count = 0; count < 250; count += 1) await opened(`Client ${count} of many`)
    await tell(await opened('Client 249 of many'))
    expect([told, reads]).to.deep.equal([[], 3])
    await tell(await opened(FIREFOX))
    expect([told.length, reads]).to.deep.equal([1, 6])
    for (let count = 250; count < 1_100; count += 1) await opened(`Client ${count} of many`)
    await tell(await opened('Safari 18 on macOS'))
    expect([told.length, reads]).to.deep.equal([1, 16])
  })
})
