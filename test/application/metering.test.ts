import { expect } from 'chai'
import { createMemoryStore } from '../../src/adapters/memory/store.js'
import { meterLogin, meterStore } from '../../src/application/metering.js'
import { refuse } from '../../src/domain/refusal.js'
import type { LoginRotationRequest, RotationRequest } from '../../src/domain/identity/rotation.js'
import type { Sessions } from '../../src/ports/sessions.js'
import type { Store } from '../../src/ports/store.js'
import { createFakeStore, EVERY_CALL, makeCall } from '../support/fake-store.js'
import { recordingMetrics } from '../support/recording-metrics.js'
import { MISHAPS } from '../support/watched-store.js'

/** A clock that advances by 10 milliseconds at every call. */
function ticking(): () => number {
  let now = 0
  return () => (now += 10)
}

function metered(inner: Store) {
  const { metrics, told } = recordingMetrics()
  return { store: meterStore(inner, metrics, ticking()), told }
}

/** A metered in-memory store in which these calls replace the calls of `sessions`. */
function meteredSessions(sessions: Partial<Sessions>) {
  const memory = createMemoryStore()
  return metered({ ...memory, sessions: { ...memory.sessions, ...sessions } })
}

const ROTATION = {} as RotationRequest
const SESSION_OK = ['storeCalled', 'sessions', 'ok', 10]
const ids = { session: 's' as never, account: 1 as never }

describe('a metered store', () => {
  it('counts and times every call to every port, and passes arguments and results through unchanged', async () => {
    for (const one of EVERY_CALL) {
      const answer = Object.freeze({})
      const given: unknown[] = []
      const fake = createFakeStore((call) => {
        given.push(call)
        return answer
      })
      const { store, told } = metered(fake.store)
      expect(await makeCall(store, one)).to.equal(answer)
      expect(given).to.deep.equal([one])
      expect(told[0], one.call).to.deep.equal(['storeCalled', one.port, 'ok', 10])
    }
  })

  for (const [name, fault] of Object.entries({
    ...MISHAPS,
    // A store must not refuse a call in this way, so the refusal counts as a fault.
    refuses: () => Promise.reject(refuse('conflict', 'Conflict', 'no')),
  })) {
    it(`counts each call to a store that ${name}, and rethrows the error`, async () => {
      for (const one of EVERY_CALL) {
        let thrown: unknown
        const fake = createFakeStore(() =>
          fault(async () => undefined).catch((error: unknown) => {
            thrown = error
            throw error
          }),
        )
        const { store, told } = metered(fake.store)
        expect(await makeCall(store, one).catch((error: unknown) => error)).to.equal(thrown)
        const outcome = name === 'fails' || name === 'refuses' ? 'fault' : 'unavailable'
        expect(told, one.call).to.deep.equal([['storeCalled', one.port, outcome, 10]])
      }
    })
  }

  it('counts a refresh without a session only if it is a replay', async () => {
    const kinds = ['rotated', 'superseded', 'replayed', 'revoked']
    const memory = createMemoryStore()
    const rotate = async () => ({ kind: kinds.shift() }) as never
    const { store, told } = metered({ ...memory, revocations: { ...memory.revocations, rotate } })
    for (const _ of [...kinds]) await store.revocations.rotate({} as LoginRotationRequest)
    expect(told.filter(([name]) => name !== 'storeCalled')).to.deep.equal([['refreshTried', 'replayed']])
  })

  for (const kind of ['rotated', 'superseded', 'mismatched', 'unknown', 'replayed'] as const)
    it(`counts a refresh with the outcome ${kind}`, async () => {
      const { store, told } = meteredSessions({ rotate: async () => ({ kind }) as never })
      await store.sessions.rotate(ROTATION)
      const ended = kind === 'replayed' ? [['sessionsEnded', 'replayed', 1]] : []
      expect(told).to.deep.equal([SESSION_OK, ['refreshTried', kind], ...ended])
    })

  it('counts ended sessions by reason', async () => {
    const { store, told } = meteredSessions({
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

  it('does not count a session as ended if the store ended none', async () => {
    const { store, told } = meteredSessions({ end: async () => 'unknown' })
    await store.sessions.end(ids.session)
    expect(told).to.deep.equal([SESSION_OK])
  })
})

describe('a metered login', () => {
  const ASK = { email: 'cAnArY@example.com', password: 'cAnArY', presented: {} }

  it('is counted by its refusal code, or as a fault for any other error, and the error is rethrown', async () => {
    for (const [error, outcome] of [
      [refuse('too-many-attempts', 'TooMany', 'cAnArY'), 'too-many-attempts'],
      [new Error('a fault'), 'fault'],
    ] as const) {
      const { metrics, told } = recordingMetrics()
      const login = meterLogin(() => {
        throw error
      }, metrics)
      expect(await login(ASK).catch((reason: unknown) => reason)).to.equal(error)
      expect(told).to.deep.equal([['loginTried', outcome]])
    }
  })
})
