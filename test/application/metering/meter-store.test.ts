import { expect } from 'chai'
import { createMemoryStore } from '../../../src/adapters/memory/store.js'
import { meterStore } from '../../../src/application/metering/meter-store.js'
import { refuse, unavailable } from '../../../src/domain/refusal.js'
import type { Records } from '../../../src/ports/records.js'
import type { LoginRotationRequest } from '../../../src/domain/identity/login-rotation.js'
import type { RotationRequest } from '../../../src/domain/identity/rotation.js'
import type { Sessions } from '../../../src/ports/sessions.js'
import type { Store } from '../../../src/ports/store.js'
import { recordingMetrics } from '../../support/recording-metrics.js'

/** A clock that goes on by 10 milliseconds with every look. */
function ticking(): () => number {
  let now = 0
  return () => (now += 10)
}

/** A store whose sessions answer so; the rest is the memory store's. */
function metered(sessions: Partial<Sessions> = {}, more: Partial<Store> = {}) {
  const { metrics, told } = recordingMetrics()
  const memory = createMemoryStore()
  const inner: Store = { ...memory, sessions: { ...memory.sessions, ...sessions }, ...more }
  return { inner, store: meterStore(inner, metrics, ticking()), told }
}

const ROTATION = {} as RotationRequest
const SESSION_OK = ['storeCalled', 'sessions', 'ok', 10]
const ids = { session: 's' as never, account: 1 as never }

describe('a metered store', () => {
  it('counts each call by its port, with its time', async () => {
    const { store, told } = metered()
    await store.accounts.find(ids.account)
    await store.roles.list()
    await store.audit.purge(0, 10)
    expect(told).to.deep.equal([
      ['storeCalled', 'accounts', 'ok', 10],
      ['storeCalled', 'roles', 'ok', 10],
      ['storeCalled', 'audit', 'ok', 10],
    ])
  })

  it('has every function of every port', () => {
    const { inner, store } = metered()
    const callsOf = (ports: object) =>
      Object.entries(ports).map(([name, port]: [string, object]) => [name, Object.keys(port).sort()])
    expect(Object.fromEntries(callsOf(store))).to.deep.equal(Object.fromEntries(callsOf(inner)))
  })

  it('tells of a refresh without a session that it was a replay, and of no other outcome', async () => {
    const kinds = ['rotated', 'superseded', 'replayed', 'revoked']
    const { revocations } = createMemoryStore()
    const { store, told } = metered(
      {},
      { revocations: { ...revocations, rotate: async () => ({ kind: kinds.shift() }) as never } },
    )
    for (const _ of [...kinds]) await store.revocations.rotate({} as LoginRotationRequest)
    expect(told.filter(([name]) => name !== 'storeCalled')).to.deep.equal([['refreshTried', 'replayed']])
  })

  it('hands on the arguments and the very answer: others keep things by its identity', async () => {
    const active = Object.freeze({ session: {} })
    const given: unknown[] = []
    const { store } = metered({
      find: async (...args) => {
        given.push(...args)
        return active as never
      },
    })
    expect(await store.sessions.find('digest' as never, 7)).to.equal(active)
    expect(given).to.deep.equal(['digest', 7])
  })

  it('takes ports that are objects of a class, and of a class above that', async () => {
    class Above {
      protected readonly count = 3
      endAllOf(): Promise<number> {
        return Promise.resolve(this.count)
      }
    }
    class OfAClass extends Above {
      readonly #ended = 'ended'
      end(): Promise<string> {
        return Promise.resolve(this.#ended)
      }
    }
    const { store } = metered({}, { sessions: new OfAClass() as unknown as Sessions })
    expect([await store.sessions.end(ids.session), await store.sessions.endAllOf(ids.account)]).to.deep.equal(
      ['ended', 3],
    )
  })

  it('tells a store that cannot be reached from a fault, and hands the error on', async () => {
    const away = unavailable('away')
    const fault = new Error('a fault')
    // No law of a store has it: a fault of the store's.
    const refused = refuse('conflict', 'Conflict', 'no')
    const { store, told } = metered({
      find: () => Promise.reject(away),
      findById: () => Promise.reject(fault),
      end: () => Promise.reject(refused),
    })
    const errors = [
      await store.sessions.find('x' as never, 0).catch((error: unknown) => error),
      await store.sessions.findById(ids.session, 0).catch((error: unknown) => error),
      await store.sessions.end(ids.session).catch((error: unknown) => error),
    ]
    expect(errors).to.deep.equal([away, fault, refused])
    expect(told).to.deep.equal([
      ['storeCalled', 'sessions', 'unavailable', 10],
      ['storeCalled', 'sessions', 'fault', 10],
      ['storeCalled', 'sessions', 'fault', 10],
    ])
  })

  it('counts what a store throws at once, and throws it at once', () => {
    const away = unavailable('away')
    const { store, told } = metered({
      end: () => {
        throw away
      },
    })
    expect(() => store.sessions.end(ids.session)).to.throw(away)
    expect(told).to.deep.equal([['storeCalled', 'sessions', 'unavailable', 10]])
  })

  it('waits for promises of any make', async () => {
    const promise: PromiseLike<'ended'> = {
      then: (resolve) => Promise.resolve(resolve?.('ended') as never),
    }
    const { store, told } = metered({ end: () => promise as Promise<'ended'> })
    expect(await store.sessions.end(ids.session)).to.equal('ended')
    expect(told).to.deep.equal([SESSION_OK, ['sessionsEnded', 'ended', 1]])
  })

  it('tells before the caller who waits for the answer goes on', async () => {
    const { store, told } = metered({ open: async () => undefined })
    const seen = await store.sessions.open({} as never).then(() => [...told])
    expect(seen).to.deep.equal([SESSION_OK, ['sessionOpened']])
  })

  for (const kind of ['rotated', 'superseded', 'mismatched', 'unknown'] as const)
    it(`reads a refresh that was ${kind}`, async () => {
      const { store, told } = metered({ rotate: async () => ({ kind }) as never })
      await store.sessions.rotate(ROTATION)
      expect(told).to.deep.equal([SESSION_OK, ['refreshTried', kind]])
    })

  it('reads a spent refresh token as one session that ended', async () => {
    const { store, told } = metered({ rotate: async () => ({ kind: 'replayed' }) })
    await store.sessions.rotate(ROTATION)
    expect(told).to.deep.equal([SESSION_OK, ['refreshTried', 'replayed'], ['sessionsEnded', 'replayed', 1]])
  })

  it('reads how many sessions ended, and why', async () => {
    const { store, told } = metered({
      end: async () => 'ended',
      endOne: async () => 'ended',
      endOthers: async () => 2,
      openWithLimit: async () => 3,
      endAllOf: async () => 4,
      purge: async () => 9,
    })
    await store.sessions.end(ids.session)
    await store.sessions.endOne(ids.account, ids.session)
    await store.sessions.endOthers(ids.account, ids.session, 0)
    await store.sessions.openWithLimit({} as never, 1)
    await store.sessions.endAllOf(ids.account)
    await store.sessions.purge(0, 500)
    expect(told.filter(([call]) => call === 'sessionOpened')).to.deep.equal([['sessionOpened']])
    expect(told.filter(([call]) => call === 'sessionsEnded')).to.deep.equal([
      ['sessionsEnded', 'ended', 1],
      ['sessionsEnded', 'ended', 1],
      ['sessionsEnded', 'revoked', 2],
      ['sessionsEnded', 'revoked', 3],
      ['sessionsEnded', 'revoked', 4],
      ['sessionsEnded', 'expired', 9],
    ])
  })

  it('counts no end where there was none', async () => {
    const { store, told } = metered({ end: async () => 'unknown', endOne: async () => 'unknown' })
    await store.sessions.end(ids.session)
    await store.sessions.endOne(ids.account, ids.session)
    expect(told).to.deep.equal([SESSION_OK, SESSION_OK])
  })

  it('reads nothing from what failed', async () => {
    const { store, told } = metered({ open: () => Promise.reject(new Error('a fault')) })
    await store.sessions.open({} as never).catch(() => undefined)
    expect(told).to.deep.equal([['storeCalled', 'sessions', 'fault', 10]])
  })

  it('has records where the store has them, and none where it has none', async () => {
    const without = metered()
    expect('records' in without.store).to.equal(false)
    const records = { count: async () => 3 } as unknown as Records
    const { store, told } = metered({}, { records })
    expect(await store.records?.count('pet')).to.equal(3)
    expect(told).to.deep.equal([['storeCalled', 'records', 'ok', 10]])
  })

  it('passes ready and close on, uncounted', async () => {
    const { inner, store, told } = metered()
    await store.ready()
    await store.close()
    expect(await inner.ready().catch((error: unknown) => (error as { code: unknown }).code)).to.equal(
      'unavailable',
    )
    expect(told).to.deep.equal([])
  })

  it('takes what answers at once, whatever that is, and tells it at once', () => {
    for (const answer of [undefined, null, 3, 'ended', {}, [], () => 3]) {
      const { store, told } = metered({ end: () => answer as never })
      expect(store.sessions.end(ids.session)).to.equal(answer)
      expect(told.slice(0, 1)).to.deep.equal([SESSION_OK])
    }
  })
})
