import { expect } from 'chai'
import type { MongoClient } from 'mongodb'
import { openMongo } from '../../../src/adapters/mongodb/store.js'
import { aLoginRotation, NOW, pairIdOf, SECOND, sessionIdOf } from '../../../src/contracts/samples.js'
import type { LoginRotation, LoginRotationRequest } from '../../../src/domain/identity/rotation.js'
import { isRefusal } from '../../../src/domain/refusal.js'
import { serverError, throwing, createInjector, type Injection } from '../../mongodb-faults/injection.js'
import { databaseOfTests } from '../../support/mongodb/opened.js'
import { describeWith } from '../../support/required-tools.js'
import { watchReads } from './queries.js'

const LOGIN = { sessionId: sessionIdOf('login') }
const FIRST = aLoginRotation(LOGIN)
const SECOND_REFRESH = after(FIRST)
const SPENT = aLoginRotation(LOGIN, { from: pairIdOf('spent') })
/** The error of a server that has applied a write but no longer knows the outcome. */
const HISTORY_GONE = 217

const failing = (at: number, code: number): Injection => ({
  ...{ at, when: 'refused', answer: throwing(() => serverError(code)) },
})

describeWith('mongodb', 'a stateless refresh in MongoDB', () => {
  const injector = createInjector()
  const opened = databaseOfTests({ onClient: injector.onClient })

  const rotate = async (request: LoginRotationRequest) => await opened().store.revocations.rotate(request)
  const stored = async () =>
    await opened().collection<{ _id: string }>('revocations').findOne({ _id: LOGIN.sessionId })

  async function outcomeOf(request: LoginRotationRequest, injection?: Injection) {
    let answer: LoginRotation | string = ''
    const trips = await injector.during(injection, async () => {
      answer = await rotate(request).catch((error: unknown) =>
        isRefusal(error) ? error.code : String(error),
      )
    })
    return { answer: answer as LoginRotation | string, trips }
  }

  it('takes one round trip, except for the first refresh and a refresh after the record has expired', async () => {
    const late = { ...after(SECOND_REFRESH), at: FIRST.until, until: FIRST.until + SECOND }
    for (const [request, trips] of [
      [FIRST, ['findOneAndUpdate', 'findOne', 'insertOne']],
      [SECOND_REFRESH, ['findOneAndUpdate']],
      [late, ['findOneAndUpdate', 'findOne', 'replaceOne']],
    ] as const)
      expect((await outcomeOf(request)).trips).to.deep.equal(trips)
  })

  it('revokes the login until its last token expires if the refresh token has already been used', async () => {
    await rotate(FIRST)
    const until = FIRST.until + SECOND
    expect(await rotate({ ...SPENT, until })).to.deep.equal({ kind: 'replayed' })
    expect(await stored()).to.deep.equal({ _id: LOGIN.sessionId, until })
  })

  it('returns the token pairs of a later refresh if the reply from the server was lost', async () => {
    await rotate(FIRST)
    const third = after(SECOND_REFRESH)
    const answer = async () => {
      await rotate(third)
      throw serverError(HISTORY_GONE)
    }
    const outcome = await outcomeOf(SECOND_REFRESH, { at: 0, when: 'lost', answer })
    const previous = { pairId: third.from, until: third.at + third.grace }
    expect(outcome.answer).to.deep.equal({ kind: 'superseded', pairs: { current: third.next, previous } })
  })

  it('fails with `unavailable` if its reply was lost, and does not count as a replay, because its write may have succeeded', async () => {
    await rotate(FIRST)
    const outcome = await outcomeOf(SPENT, failing(0, HISTORY_GONE))
    expect(outcome).to.deep.equal({ answer: 'unavailable', trips: ['findOneAndUpdate', 'findOne'] })
    expect(await rotate(SECOND_REFRESH)).to.have.property('kind', 'rotated')
  })

  const foundBefore = (other: LoginRotationRequest): Injection => ({
    at: 1,
    when: 'refused',
    answer: async () => {
      const found = await stored()
      await rotate(other)
      return found
    },
  })

  it('revokes a login because of a replay only if the state is unchanged, and otherwise checks again', async () => {
    await rotate(FIRST)
    const third = after(SECOND_REFRESH)
    expect((await outcomeOf(third, foundBefore(SECOND_REFRESH))).answer).to.have.property('kind', 'rotated')
    expect(await stored()).to.have.nested.property('pairs.current.pairId', third.next.pairId)
  })

  it('reports no second replay if a concurrent request has already detected one', async () => {
    await rotate(FIRST)
    const other = aLoginRotation(LOGIN, { from: pairIdOf('spent too') })
    expect((await outcomeOf(SPENT, foundBefore(other))).answer).to.deep.equal({ kind: 'revoked' })
  })

  it('reads from the primary after a lost race, even if the URL prefers a secondary', async () => {
    const preferences: unknown[] = []
    const onClient = (one: unknown) => watchReads(one as MongoClient, 'revocations', preferences)
    const other = await openMongo(opened().url, { onClient })
    try {
      await rotate(FIRST)
      const second = await other.revocations.rotate(aLoginRotation(LOGIN, {}, 1))
      expect([second.kind, preferences]).to.deep.equal(['superseded', ['primary']])
    } finally {
      await other.close()
    }
  })
})

/** Returns the refresh that follows one second later, with the token that the given refresh issued. */
function after({ next, at }: LoginRotationRequest): LoginRotationRequest {
  return aLoginRotation(LOGIN, { from: next.pairId, at: at + SECOND, until: NOW + SECOND * 1_000_000 })
}
