import { createHash } from 'node:crypto'
import { expect } from 'chai'
import type { AccountId } from '../../../src/domain/identity/account.js'
import type { Records, RecordOf } from '../../../src/ports/records.js'
import { RUNS_ON_MONGODB } from '../../support/mongodb/server.js'
import {
  PASSPHRASE,
  startService,
  TOKEN_USE,
  type TestOptions,
  type TestService,
} from '../../support/http/service.js'
import { itWithSessions } from '../../support/http/modes.js'
import {
  createBrowser,
  freshEmail,
  identityWith,
  newcomer,
  type Browser,
  type Held,
} from '../../support/http/browser.js'
import { expectInvalidToken } from '../../support/http/expected.js'
import { KEPT, type OpenedStore } from '../../support/stores.js'

const NEXT = 'Next-for-tests: 5 kennels & 13 hounds'
const SETTINGS = { publicUrl: 'http://127.0.0.1:3000' }
const CLIENTS = 6
/** Filling MongoDB takes longer. */
const SESSIONS = RUNS_ON_MONGODB ? 10_000 : 100_000

/** What only the store decides is not repeated for each format of tokens. */
const onceWithSessions = TOKEN_USE === 'HS512' ? itWithSessions : () => undefined

type Passphrases = NonNullable<TestOptions['passphrases']>

/** The steps of docs/operate/keys.md: the new one verifies everywhere, then signs everywhere, then is alone. */
const STEPS: readonly Passphrases[] = [
  { current: PASSPHRASE, previous: [NEXT] },
  { current: NEXT, previous: [PASSPHRASE] },
]

/** Two instances on one store, each replaced without a gap, and the proxy before them. */
function createFleet(opened: OpenedStore) {
  const instances: TestService[] = []
  const start = (passphrases: Passphrases) =>
    startService({ store: opened.store, settings: SETTINGS, passphrases })
  let turn = 0
  /** The instance of the next request. */
  const next = (): TestService => instances[(turn = (turn + 1) % 2)] as TestService
  const call: TestService['client']['call'] = async (...request) => {
    try {
      return await next().client.call(...request)
    } catch {
      // An instance that is going has closed the connection: another one is asked.
      return await next().client.call(...request)
    }
  }
  return {
    instances,
    next,
    client: { call, close: () => undefined },
    begin: async (passphrases: Passphrases) => {
      for (let count = 0; count < 2; count += 1) instances.push(await start(passphrases))
    },
    /** A new one takes the place of an instance, which then goes. */
    replace: async (index: number, passphrases: Passphrases) => {
      const before = instances[index]
      instances[index] = await start(passphrases)
      await before?.close()
    },
    close: async () => {
      for (const one of instances) await one.close()
    },
  }
}

type Fleet = ReturnType<typeof createFleet>

/** Each client reads and refreshes in turn, every call at another instance, until it is told to stop. */
function load(fleet: Fleet, holders: readonly Browser[]) {
  const statuses: number[] = []
  let stopped = false
  const client = async (holder: Browser) => {
    let held: Held = holder.held()
    for (let round = 0; !stopped; round += 1) {
      const browser = createBrowser(fleet, holder.email, { held })
      const reply = await (round % 3 === 2 ? browser.refresh() : browser.getIdentity())
      statuses.push(reply.status)
      held = browser.held()
    }
    return held
  }
  const underWay = holders.map(client)
  return {
    /** Resolves when so many more calls were answered. */
    more: async (count: number) => {
      const until = statuses.length + count
      while (statuses.length < until) await new Promise((resolve) => setImmediate(resolve))
    },
    stop: async () => {
      stopped = true
      return { statuses, held: await Promise.all(underWay) }
    },
  }
}

describe('the rotation of keys', () => {
  let opened: OpenedStore
  let fleet: Fleet
  beforeEach(async () => {
    opened = await KEPT.open()
    fleet = createFleet(opened)
    await fleet.begin({ current: PASSPHRASE, previous: [] })
  })
  afterEach(async () => {
    await fleet.close()
    await opened.remove()
  })

  const clients = async () => {
    const browsers: Browser[] = []
    while (browsers.length < CLIENTS) browsers.push(await newcomer(fleet.next()))
    return browsers
  }

  it('of two instances, one after the other under load, is seen by no client: no answer is 401', async () => {
    const traffic = load(fleet, await clients())
    for (const step of STEPS) {
      for (const index of [0, 1]) {
        await fleet.replace(index, step)
        await traffic.more(60)
      }
    }
    const { statuses, held } = await traffic.stop()
    expect(statuses.length).to.be.greaterThan(240)
    expect(new Set(statuses)).to.deep.equal(new Set([200]))
    // By now everybody has a pair of the new key: the old passphrase can go.
    const alone = { current: NEXT, previous: [] }
    for (const index of [0, 1]) await fleet.replace(index, alone)
    for (const one of held) expect((await identityWith(fleet.next(), one)).status).to.equal(200)
  })

  it('needs its first step: an instance that does not know the new key refuses what it signed', async () => {
    await fleet.replace(0, STEPS[1] as Passphrases)
    const [rotated, other] = fleet.instances as [TestService, TestService]
    const browser = await newcomer(rotated)
    expectInvalidToken(await identityWith(other, browser.held()))
  })

  onceWithSessions(`of a store with ${String(SESSIONS)} active sessions writes nothing to it`, async () => {
    const { records } = opened.store
    if (!records) throw new Error('this store cannot be filled')
    const [service] = fleet.instances as [TestService]
    const id = (await service.account(freshEmail())) as AccountId
    await fill(records, id, service.clock.now)
    const browser = await newcomer(service)
    const before = await contentOf(records)
    for (const step of STEPS) for (const index of [0, 1]) await fleet.replace(index, step)
    expect((await identityWith(fleet.next(), browser.held())).status).to.equal(200)
    expect(await contentOf(records)).to.deep.equal(before)
    expect(before.sessions).to.equal(SESSIONS + 1)
  })
})

async function fill(records: Records, accountId: AccountId, now: number): Promise<void> {
  for (let first = 0; first < SESSIONS; first += 1_000) {
    const sessions = Array.from({ length: 1_000 }, (_, n) => sessionOf(first + n, accountId, now))
    await records.put('session', sessions)
  }
}

function sessionOf(n: number, accountId: AccountId, now: number): RecordOf['session'] {
  const name = String(n).padStart(22, '0')
  const current = { number: 1, pairId: name, kid: 'kid', issuedAt: now, keyDigest: `digest ${name}` }
  const endsAt = now + 86_400_000
  return {
    ...{ id: name, accountId, epoch: 1, createdAt: now, endsAt },
    current: { ...current, idleEndsAt: endsAt },
  } as RecordOf['session']
}

/** How many sessions there are, and a digest of all that is said of them. */
async function contentOf(records: Records) {
  const hash = createHash('sha256')
  let sessions = 0
  for (let page = await records.page('session', undefined, 1_000); page.length > 0;) {
    hash.update(JSON.stringify(page))
    sessions += page.length
    page = await records.page('session', page.at(-1), 1_000)
  }
  return { sessions, digest: hash.digest('hex') }
}
