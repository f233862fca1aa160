import { expect } from 'chai'
import type { MongoClient } from 'mongodb'
import { loadDriver, markErrors } from '../../../src/adapters/mongodb/errors.js'
import { createRotate } from '../../../src/adapters/mongodb/rotation.js'
import { addLoggedIn, logIn } from '../../../src/contracts/arrangements.js'
import { aRotation, aSession, GRACE, keyDigestOf, NOW, pairIdOf } from '../../../src/contracts/samples.js'
import { codeOf } from '../../support/refusal-of.js'
import type { Account } from '../../../src/domain/identity/account.js'
import type { Rotation, RotationRequest } from '../../../src/domain/identity/rotation.js'
import type { ActiveSession, Session } from '../../../src/domain/identity/session.js'
import { serverError, throwing, createInjector, type Injection } from '../../mongodb-faults/injection.js'
import { databaseOfTests } from '../../support/mongodb/opened.js'
import { describeWith } from '../../support/required-tools.js'
import { watchReads } from './queries.js'

const NAMES = ['one', 'two', 'three', 'four', 'five', 'six', 'seven']

function sessionIn(rotation: Rotation): Session {
  if (rotation.kind !== 'rotated') throw new Error('the first refresh rotates')
  return rotation.session
}

describeWith('mongodb', 'concurrent refreshes in MongoDB', () => {
  let first: Session
  let sessions: readonly Session[]
  let sent: string[] = []

  const opened = databaseOfTests({
    onClient: (client: MongoClient) =>
      client.on('commandStarted', ({ commandName }) => sent.push(commandName)),
  })
  beforeEach(async () => {
    const { store } = opened()
    const { account, session } = await addLoggedIn(store)
    first = session
    sessions = [first, ...(await Promise.all(NAMES.map((name) => logIn(store, account, name))))]
    sent = []
  })

  async function rotateAll(grace = GRACE): Promise<readonly string[]> {
    const { store } = opened()
    const answers = sessions.map((session) => store.sessions.rotate(aRotation(session, { grace })))
    return (await Promise.all(answers)).map(({ kind }) => kind)
  }

  const rotated = NAMES.map(() => 'rotated')

  it('need only one read and one write', async () => {
    const { store } = opened()
    const found = await Promise.all(sessions.map(({ id }) => store.sessions.findById(id, NOW)))
    expect(found.map((one) => one?.session)).to.deep.equal(sessions)
    expect(await rotateAll()).to.deep.equal(['rotated', ...rotated])
    expect(sent).to.deep.equal(['aggregate', 'update'])
  })

  for (const [what, kind, grace, prepare] of [
    ['another process has rotated a session', 'superseded', GRACE, aRotationOf(GRACE)],
    ['a refresh without a grace window is a replay', 'replayed', 0, aRotationOf(0)],
    ['a session has ended', 'unknown', GRACE, async () => await opened().store.sessions.end(first.id)],
  ] as const)
    it(`are processed separately if ${what}`, async () => {
      await prepare()
      expect(await rotateAll(grace)).to.deep.equal([kind, ...rotated])
    })

  function aRotationOf(grace: number) {
    return async () => await opened().store.sessions.rotate(aRotation(first, { grace }, 1))
  }
})

// The tests with injected faults show that a refresh whose attempts all fail is unavailable.
describeWith('mongodb', 'a refresh in MongoDB', () => {
  const [bulk, single] = [createInjector(), createInjector()]
  let session: Session
  const preferences: unknown[] = []

  const opened = databaseOfTests({
    onClient: (client: MongoClient) => {
      watchReads(client, 'sessions', preferences)
      bulk.onClient(client)
      single.onClient(client)
    },
  })
  beforeEach(async () => {
    session = (await addLoggedIn(opened().store)).session
    preferences.length = 0
  })

  const rotate = (request: RotationRequest) => opened().store.sessions.rotate(request)
  const number = async () =>
    (await opened().store.sessions.findById(session.id, NOW + 1))?.session.current.number

  async function outcomeOf(first: () => unknown, then?: Injection): Promise<unknown> {
    let answer: unknown
    const request = aRotation(session)
    await bulk.during({ at: 0, when: 'refused', answer: first }, () =>
      single.during(then, async () => {
        answer = await rotate(request).catch((error: unknown) => error)
      }),
    )
    return answer
  }
  const failed = throwing(() => serverError(91))

  it('compares the key with the stored session, not with the session in the request', async () => {
    const keyDigest = keyDigestOf('of a thief')
    for (const found of [
      { ...session, current: { ...session.current, keyDigest } },
      { ...session, previous: { pairId: pairIdOf('none'), keyDigest, until: NOW + GRACE } },
    ])
      expect(await rotate(aRotation(session, { keyDigest, found }))).to.deep.equal({ kind: 'mismatched' })
    expect(await number()).to.equal(1)
  })

  it('rejects the previous key if there is no grace window', async () => {
    const rotated = sessionIn(await rotate(aRotation(session)))
    const { keyDigest } = session.current
    const found = { ...rotated, current: { ...rotated.current, keyDigest } }
    const request = aRotation(rotated, { keyDigest, found, grace: 0 })
    expect(await rotate(request)).to.deep.equal({ kind: 'mismatched' })
    expect(await number()).to.equal(2)
  })

  for (const [name, first] of Object.entries({
    command: failed,
    update: () => ({ n: 0, writeErrors: [{}] }),
  }))
    it(`is retried by the driver, without a read, if the ${name} failed`, async () => {
      expect(await outcomeOf(first)).to.have.property('kind', 'rotated')
      expect(await number()).to.equal(2)
      expect(preferences).to.deep.equal([])
    })

  it('reads the outcome from the primary if the reply to the second attempt is also lost', async () => {
    const lost: Injection = { at: 1, when: 'lost', answer: throwing(() => serverError(217)) }
    expect(await outcomeOf(failed, lost)).to.have.property('kind', 'rotated')
    expect(preferences).to.deep.equal(['primary'])
  })

  it('counts as superseded, not as a replay, if its reply was lost and another tab has refreshed since then', async () => {
    const request = aRotation(session)
    const moved = { ...session, current: request.next }
    const refreshAgain = async () => {
      await rotate(aRotation(moved, {}, 1))
      throw serverError(91)
    }
    let answer: unknown
    await bulk.during({ at: 0, when: 'lost', answer: refreshAgain }, async () => {
      answer = await rotate(request)
    })
    const current = (await opened().store.sessions.findById(session.id, request.at))?.session
    expect(answer).to.deep.equal({ kind: 'superseded', session: current })
    expect(await number()).to.equal(3)
  })
})

describe('a MongoDB refresh', () => {
  before(loadDriver)
  const session = aSession({ id: 1, epoch: 1 } as Account, 'one')

  /** Returns a refresh whose reads return `found`, whose updates are answered by `command`, and which ends no session. */
  function rotateWith(found: () => Session, command: () => Promise<unknown>) {
    const sessions = {
      updateOne: () => Promise.reject(serverError(217)),
      findOne: () => Promise.resolve(null),
      deleteOne: () => Promise.resolve({ deletedCount: 0 }),
    }
    const database = { db: markErrors({ command }), sessions } as unknown as Parameters<
      typeof createRotate
    >[0]
    return createRotate(database, async () => ({ session: found() }) as ActiveSession)
  }

  it('fails with `unavailable` after a limited number of attempts if no command reports an outcome', async () => {
    let finds = 0
    const rotate = rotateWith(
      () => ((finds += 1), session),
      () => Promise.reject(serverError(217)),
    )
    const replay = { from: pairIdOf('long gone'), keyDigest: keyDigestOf('of a thief'), grace: 0 }
    for (const change of [{}, replay])
      expect(await codeOf(rotate(aRotation(session, change)))).to.equal('unavailable')
    expect(finds).to.equal(100)
  })

  it('uses the current session even if a stepped-down primary returned an old session', async () => {
    const current = { ...session, current: aRotation(session).next }
    const answers = [session, current]
    const rotate = rotateWith(
      () => answers.shift() ?? current,
      () => Promise.resolve({ n: answers.length > 0 ? 0 : 1 }),
    )
    const outcome = await rotate(aRotation(current, { grace: 0, found: session }))
    expect(outcome.kind).to.equal('rotated')
    expect(answers).to.deep.equal([])
  })
})
