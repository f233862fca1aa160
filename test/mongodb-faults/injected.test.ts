import { expect } from 'chai'
import { MongoClient, MongoInvalidArgumentError, type Db } from 'mongodb'
import { openMongo } from '../../src/adapters/mongodb/store.js'
import { aPet } from '../../src/contracts/samples.js'
import { isRefusal } from '../../src/domain/refusal.js'
import type { Store } from '../../src/ports/store.js'
import { freshDatabase, type FreshDatabase } from '../support/mongodb/server.js'
import {
  DRIVER_ERRORS,
  duplicateOf,
  FOREIGN_ERRORS,
  SERVER_CODES,
  serverError,
  throwing,
  createInjector,
  UPSERT,
  type Injection,
} from './injection.js'
import {
  arrange,
  callOf,
  callsOf,
  CASES,
  contentOf,
  isBetween,
  restore,
  withoutIds,
  type Content,
} from './fault-cases.js'
import { describeWith } from '../support/required-tools.js'
import { rotating } from '../support/rotation.js'

type Answer = () => unknown
type Outcome = { readonly answer: unknown } | { readonly refused: string } | { readonly error: unknown }

/** A call that makes more round trips than this is in an endless loop, because even a waiting call gives up earlier. */
const MOST_TRIPS = 300

const GONE = throwing(() => serverError(217))
/** One error of each kind for a command that the server rejected without executing it. */
const REFUSALS = rotating([GONE, throwing(() => serverError(449)), throwing(() => new Error('plain'))], 1)
/** Errors for a command that the server executed, but whose result the caller does not learn. */
const LOSSES = rotating(
  [GONE, throwing(() => serverError(64)), throwing(() => new RangeError('outside buffer bounds'))],
  1,
)
/** The error that the second attempt of an insert may report if the reply to the first attempt was lost. */
const OWN_KEYS = ['_id', 'email', 'digest', 'digests', 'idempotency.scope'].map((field) =>
  throwing(() => duplicateOf(field)),
)

/** Injected replies that hide the result of a call, although the call can find its result in the stored data. */
const FOUND_OUT: readonly (readonly [string, string, Answer])[] = [
  ['pets.insert', 'insertOne', throwing(() => duplicateOf('_id'))],
  ['pets.insert with a key', 'insertOne', throwing(() => duplicateOf('idempotency.scope'))],
  ['pets.insert', `findOneAndUpdate${UPSERT}`, GONE],
  ['pets.insert', `findOneAndUpdate${UPSERT}`, () => null],
  ['accounts.insert', 'insertOne', throwing(() => duplicateOf('email'))],
  ['roles.insert', 'insertOne', throwing(() => duplicateOf('_id'))],
  ['sessions.open', 'insertOne', throwing(() => duplicateOf('digests'))],
  ['sessions.rotate', 'findOneAndUpdate', GONE],
  ['revocations.rotate', 'insertOne', throwing(() => duplicateOf('_id'))],
  ['revocations.rotate of a login that was refreshed', 'findOneAndUpdate', GONE],
]

describeWith('mongodb', 'an error of the server, the driver or the network', () => {
  const injector = createInjector()
  let database: FreshDatabase
  let client: MongoClient
  let db: Db
  let store: Store
  let start: Content

  before(async () => {
    database = freshDatabase()
    store = await openMongo(database.url, { onClient: injector.onClient })
    client = new MongoClient(database.url)
    db = client.db()
    await arrange(store)
    start = await contentOf(db)
  })
  after(async () => {
    await Promise.all([store.close(), client.close()])
    await database.drop()
  })

  async function run(
    name: string,
    injection?: Injection,
  ): Promise<{ outcome: Outcome; trips: readonly string[] }> {
    await restore(db, start)
    return await outcomeUnder(name, injection)
  }

  async function outcomeUnder(
    name: string,
    injection?: Injection,
  ): Promise<{ outcome: Outcome; trips: readonly string[] }> {
    let outcome: Outcome = { error: 'no such case' }
    const trips = await injector.during(injection, async () => {
      outcome = await outcomeOf(CASES[name]?.(store))
    })
    return { outcome, trips }
  }

  it('is tested for every method of every port', () => {
    const covered = new Set(Object.keys(CASES).map(callOf))
    expect([...covered].sort()).to.deep.equal(callsOf(store).sort())
    expect(DRIVER_ERRORS.length).to.be.greaterThan(40)
  })

  for (const name of Object.keys(CASES)) {
    it(`makes ${name} either complete and report success, or report that the store is unavailable`, async () => {
      const { outcome: good, trips } = await run(name)
      const after = await contentOf(db)
      expect(good).to.have.property('answer')
      const wrong: unknown[] = []
      for (const injection of injections(trips)) {
        const { outcome, trips: made } = await run(name, injection)
        const content = await contentOf(db)
        const isHonestSoon =
          made.length < MOST_TRIPS && isHonest(outcome, content, { good, before: start, after })
        if (!isHonestSoon) wrong.push([trips[injection.at], injection, outcome])
      }
      expect(trips).to.not.be.empty
      expect(wrong).to.deep.equal([])
    })
  }

  const called = ['pets.insert', 'sessions.find', 'sessions.rotate', 'attempts.take', 'copyableRecords.put']
  for (const name of rotating(called, 2)) {
    it(`never causes an internal error, for any error code or class: ${name}`, async () => {
      const answers = [...SERVER_CODES.map((code) => serverError(code)), ...DRIVER_ERRORS, ...FOREIGN_ERRORS]
      const { trips } = await run(name)
      const wrong: unknown[] = []
      for (const error of answers) {
        for (const at of trips.keys()) {
          const { outcome } = await outcomeUnder(name, {
            at,
            when: 'refused',
            forGood: true,
            answer: throwing(() => error),
          })
          if ('error' in outcome) wrong.push([error, at, outcome.error])
        }
      }
      expect(wrong).to.deep.equal([])
    })
  }

  for (const [name, method, answer] of FOUND_OUT) {
    it(`is detected if it hides the result of ${name}, and the actual result is reported`, async () => {
      const { outcome: good, trips } = await run(name)
      const { outcome } = await run(name, { at: trips.indexOf(method), when: 'lost', answer })
      expect(good).to.have.property('answer')
      expect(withoutIds(outcome)).to.equal(withoutIds(good))
    })
  }

  it('reuses no ID after a counter is lost: one step skips all existing IDs', async () => {
    await restore(db, start)
    const backup = [3, 4, 500].map((_id) => ({ _id, name: 'from a backup' }))
    await db.collection<{ _id: number; name: string }>('pets').insertMany(backup)
    const ids: unknown[] = []
    const trips = await injector.during(undefined, async () => {
      for (const name of ['one', 'two']) ids.push(await store.pets.insert(aPet(name)))
    })
    expect(ids).to.deep.equal([501, 502].map((id) => ({ kind: 'inserted', id })))
    expect(trips.filter((method) => method === 'insertOne')).to.have.length(3)
  })

  it('is not confused with an error in our code, which is rethrown unchanged', async () => {
    const ours = await outcomeOf(store.pets.insert(undefined as never))
    expect(ours).to.have.property('error').that.is.instanceOf(TypeError)
    const answer = throwing(() => new MongoInvalidArgumentError('called wrongly'))
    const { outcome } = await run('pets.find', { at: 0, when: 'refused', answer })
    expect(outcome).to.have.property('error').that.is.instanceOf(MongoInvalidArgumentError)
  })
})

/** Returns every combination of a reply with a round trip, or with this and all later round trips. */
function injections(trips: readonly string[]): Injection[] {
  return [...trips.entries()].flatMap(([at, method]) => {
    const lost = [
      ...LOSSES,
      ...(method === 'insertOne' ? OWN_KEYS : []),
      ...(method === `findOneAndUpdate${UPSERT}` ? [() => null] : []),
    ]
    // MongoDB may report a duplicate key for concurrent upserts with the same ID.
    const refused = [...REFUSALS, ...(/^(update|find).*upsert/.test(method) ? OWN_KEYS.slice(0, 1) : [])]
    return [
      ...refused.map((answer): Injection => ({ at, when: 'refused', answer })),
      ...refused.map((answer): Injection => ({ at, when: 'refused', forGood: true, answer })),
      ...lost.map((answer): Injection => ({ at, when: 'lost', answer })),
      ...lost.map((answer): Injection => ({ at, when: 'lost', forGood: true, answer })),
    ]
  })
}

type Expected = { readonly good: Outcome; readonly before: Content; readonly after: Content }

/** Returns whether the call made and reported its expected changes, or reported `unavailable` and made no other changes. */
function isHonest(outcome: Outcome, content: Content, { good, before, after }: Expected): boolean {
  if ('answer' in outcome) {
    return withoutIds(outcome) === withoutIds(good) && withoutIds(content) === withoutIds(after)
  }
  return 'refused' in outcome && outcome.refused === 'unavailable' && isBetween(content, before, after)
}

async function outcomeOf(call: Promise<unknown> | undefined): Promise<Outcome> {
  try {
    return { answer: await call }
  } catch (error) {
    if (isRefusal(error)) return { refused: error.code }
    return { error }
  }
}
