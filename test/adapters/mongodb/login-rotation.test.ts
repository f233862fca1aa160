import { expect } from 'chai'
import { MongoClient } from 'mongodb'
import { openMongo } from '../../../src/adapters/mongodb/store.js'
import { aLoginRotation, NOW, pairIdOf, SECOND, sessionIdOf } from '../../../src/contracts/samples.js'
import type { LoginRotation, LoginRotationRequest } from '../../../src/domain/identity/login-rotation.js'
import { isRefusal } from '../../../src/domain/refusal.js'
import type { Store } from '../../../src/ports/store.js'
import { serverError, throwing } from '../../mongodb-faults/driver-faults.js'
import { createInjector, type Injection } from '../../mongodb-faults/injection.js'
import { freshDatabase, type FreshDatabase } from '../../support/mongodb/server.js'
import { describeWith } from '../../support/required-tools.js'
import { watchReads } from './read-preferences.js'

const LOGIN = { sessionId: sessionIdOf('login') }
const FIRST = aLoginRotation(LOGIN)
/** From the pair that FIRST has led to. */
const SECOND_REFRESH = after(FIRST)
/** The server has made the write before, and does not know any more what came of it. */
const HISTORY_GONE = 217

describeWith('mongodb', 'a refresh without a session over MongoDB', () => {
  const injector = createInjector()
  let database: FreshDatabase
  let client: MongoClient
  let store: Store

  beforeEach(async () => {
    database = freshDatabase()
    client = new MongoClient(database.url)
    store = await openMongo(database.url, { onClient: injector.onClient })
  })
  afterEach(async () => {
    await Promise.all([store.close(), client.close()])
    await database.drop()
  })

  const rotate = async (request: LoginRotationRequest) => await store.revocations.rotate(request)
  const stored = async () =>
    await client.db().collection<{ _id: string }>('revocations').findOne({ _id: LOGIN.sessionId })

  /** What it comes to, or the code of the refusal, and the round trips. */
  async function told(request: LoginRotationRequest, injection?: Injection) {
    let answer: LoginRotation | string = ''
    const trips = await injector.during(injection, async () => {
      answer = await rotate(request).catch((error: unknown) =>
        isRefusal(error) ? error.code : String(error),
      )
    })
    return { answer: answer as LoginRotation | string, trips }
  }

  it('is one round trip, but for the first and the first after the end of what is stored', async () => {
    expect((await told(FIRST)).trips).to.deep.equal(['findOneAndUpdate', 'findOne', 'insertOne'])
    expect((await told(SECOND_REFRESH)).trips).to.deep.equal(['findOneAndUpdate'])
    const late = { ...after(SECOND_REFRESH), at: FIRST.until, until: FIRST.until + SECOND }
    expect((await told(late)).trips).to.deep.equal(['findOneAndUpdate', 'findOne', 'replaceOne'])
  })

  it('revokes the login until the latest end of its tokens where the token was spent', async () => {
    await rotate(FIRST)
    const until = FIRST.until + SECOND
    const spent = aLoginRotation(LOGIN, { from: pairIdOf('spent'), until })
    expect(await rotate(spent)).to.deep.equal({ kind: 'replayed' })
    expect(await stored()).to.deep.equal({ _id: LOGIN.sessionId, until })
  })

  it('whose answer was lost gets the pairs that another tab has gone on to from its own', async () => {
    await rotate(FIRST)
    const third = after(SECOND_REFRESH)
    const answer = async () => {
      await rotate(third)
      throw serverError(HISTORY_GONE)
    }
    const outcome = await told(SECOND_REFRESH, { at: 0, when: 'lost', answer })
    expect(outcome.answer).to.deep.equal({
      kind: 'superseded',
      pairs: { current: third.next, previous: { pairId: third.from, until: third.at + third.grace } },
    })
  })

  it('whose answer was lost is unavailable, and no replay, as it may have spent the pair itself', async () => {
    await rotate(FIRST)
    const spent = aLoginRotation(LOGIN, { from: pairIdOf('spent') })
    const outcome = await told(spent, {
      at: 0,
      when: 'refused',
      answer: throwing(() => serverError(HISTORY_GONE)),
    })
    expect(outcome).to.deep.equal({ answer: 'unavailable', trips: ['findOneAndUpdate', 'findOne'] })
    expect(await rotate(SECOND_REFRESH)).to.have.property('kind', 'rotated')
  })

  /** The second round trip answers the previous state, and another request is answered in between. */
  const foundBefore = (other: LoginRotationRequest): Injection => ({
    at: 1,
    when: 'refused',
    answer: async () => {
      const found = await stored()
      await rotate(other)
      return found
    },
  })

  it('that looks like a replay revokes only the login as it was found, and is judged again', async () => {
    await rotate(FIRST)
    const third = after(SECOND_REFRESH)
    expect((await told(third, foundBefore(SECOND_REFRESH))).answer).to.have.property('kind', 'rotated')
    expect(await stored()).to.have.nested.property('pairs.current.pairId', third.next.pairId)
  })

  it('that finds a replay beside another one is no second replay', async () => {
    await rotate(FIRST)
    const spent = aLoginRotation(LOGIN, { from: pairIdOf('spent') })
    const other = aLoginRotation(LOGIN, { from: pairIdOf('spent too') })
    expect((await told(spent, foundBefore(other))).answer).to.deep.equal({ kind: 'revoked' })
  })

  it('is unavailable at once where the server failed and nothing was lost', async () => {
    await rotate(FIRST)
    const outcome = await told(SECOND_REFRESH, {
      at: 0,
      when: 'refused',
      answer: throwing(() => serverError(64)),
    })
    expect(outcome).to.deep.equal({ answer: 'unavailable', trips: ['findOneAndUpdate'] })
  })

  it('is unavailable where the first pairs cannot be stored', async () => {
    const outcome = await told(FIRST, { at: 2, when: 'refused', answer: throwing(() => serverError(64)) })
    expect(outcome).to.deep.equal({
      answer: 'unavailable',
      trips: ['findOneAndUpdate', 'findOne', 'insertOne'],
    })
  })

  it('that lost against another one is judged by the primary, whatever the URL prefers', async () => {
    const preferences: unknown[] = []
    const other = await openMongo(database.url, {
      onClient: (one) => {
        watchReads(one as MongoClient, 'revocations', preferences)
      },
    })
    try {
      await rotate(FIRST)
      expect(await other.revocations.rotate(aLoginRotation(LOGIN, {}, 1))).to.have.property(
        'kind',
        'superseded',
      )
      expect(preferences).to.deep.equal(['primary'])
    } finally {
      await other.close()
    }
  })
})

/** A request with the token that this one has led to, a second later. */
function after({ next, at }: LoginRotationRequest): LoginRotationRequest {
  return aLoginRotation(LOGIN, { from: next.pairId, at: at + SECOND, until: NOW + SECOND * 1_000_000 })
}
