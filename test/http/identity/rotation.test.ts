import { expect } from 'chai'
import { RECORD_KINDS } from '../../../src/ports/copyable-records.js'
import {
  PASSPHRASE,
  startService,
  type TestOptions,
  type TestService,
  itWithSessions,
} from '../../support/http/service.js'
import { createBrowser, identityWith, newcomer, type Browser, type Held } from '../../support/http/browser.js'
import { KEPT, type OpenedStore } from '../../support/stores.js'

const NEXT = 'Next-for-tests: 5 kennels & 13 hounds'
const SETTINGS = { publicUrl: 'http://127.0.0.1:3000' }
const CLIENTS = 3

type Passphrases = NonNullable<TestOptions['passphrases']>

/**
 * The steps in docs/operate/keys.md: all instances first accept the new key, then sign with it, and finally drop the
 * old key.
 */
const STEPS: readonly Passphrases[] = [
  { current: PASSPHRASE, previous: [NEXT] },
  { current: NEXT, previous: [PASSPHRASE] },
]

/** Two instances on one store behind a proxy; each is replaced without an interruption. */
function createFleet(opened: OpenedStore) {
  const instances: TestService[] = []
  const start = (passphrases: Passphrases) =>
    startService({ store: opened.store, settings: SETTINGS, passphrases })
  let turn = 0
  const next = (): TestService => instances[(turn = (turn + 1) % 2)] as TestService
  const call: TestService['client']['call'] = async (...request) => {
    for (let tries = 1; ; tries += 1) {
      try {
        return await next().client.call(...request)
      } catch (error) {
        // Tries the next instance if this instance is stopping and has closed the connection. On a busy machine,
        // several instances may be stopping at once.
        if (tries === 4) throw error
      }
    }
  }
  return {
    instances,
    next,
    client: { call, close: () => undefined },
    begin: async (passphrases: Passphrases) => {
      for (let count = 0; count < 2; count += 1) instances.push(await start(passphrases))
    },
    /** Replaces an instance with a new one, and then closes the old one. */
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

/** Each client reads and refreshes until it is stopped, and sends each call to a different instance. */
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
    /** Resolves after `count` more replies. */
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

describe('key rotation', () => {
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

  it('never causes a 401 response with two instances under load', async () => {
    const traffic = load(fleet, await clients())
    for (const step of STEPS) {
      for (const index of [0, 1]) {
        await fleet.replace(index, step)
        await traffic.more(15)
      }
    }
    const { statuses, held } = await traffic.stop()
    expect(statuses.length).to.be.at.least(60)
    expect(new Set(statuses)).to.deep.equal(new Set([200]))
    // Every client now has tokens signed with the new key, so the old passphrase can be removed.
    const alone = { current: NEXT, previous: [] }
    for (const index of [0, 1]) await fleet.replace(index, alone)
    for (const one of held) expect((await identityWith(fleet.next(), one)).status).to.equal(200)
  })

  itWithSessions('writes nothing to the store', async () => {
    const { copyableRecords: records } = opened.store
    if (!records) throw new Error('this store has no records')
    const browser = await newcomer(fleet.next())
    const stored = () => Promise.all(RECORD_KINDS.map((kind) => records.page(kind, undefined, 1_000)))
    const before = await stored()
    for (const step of STEPS) for (const index of [0, 1]) await fleet.replace(index, step)
    expect((await identityWith(fleet.next(), browser.held())).status).to.equal(200)
    expect(await stored()).to.deep.equal(before)
  })
})
