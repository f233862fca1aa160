import { expect } from 'chai'
import type { Db, Document, MongoClient } from 'mongodb'
import { fake } from 'sinon'
import { loadDriver, markErrors } from '../../../src/adapters/mongodb/errors.js'
import { createRotate } from '../../../src/adapters/mongodb/rotation.js'
import { addLoggedIn, logIn } from '../../../src/contracts/arrangements.js'
import { aRotation, aSession, GRACE, keyDigestOf, NOW, pairIdOf } from '../../../src/contracts/samples.js'
import type { Account } from '../../../src/domain/identity/account.js'
import type { Rotation, RotationRequest } from '../../../src/domain/identity/rotation.js'
import type { Session } from '../../../src/domain/identity/session.js'
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
  let reads: ReturnType<typeof keepingReads>

  const opened = databaseOfTests({
    onClient: (client: MongoClient) => {
      watchReads(client, 'sessions', preferences)
      reads = keepingReads(client)
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

  it('uses the current session even if a stepped-down primary returned an old session', async () => {
    await opened().store.sessions.findById(session.id, NOW)
    const behind = reads.last()
    const rotated = sessionIn(await rotate(aRotation(session, {}, 1)))
    reads.answerOnce(behind)
    const next = await rotate(aRotation(rotated, { grace: 0, found: session }, 2))
    expect([next.kind, await number()]).to.deep.equal(['rotated', 3])
  })
})

describe('a MongoDB refresh whose commands report no outcome', () => {
  before(loadDriver)

  /** The session is always found unchanged, but no write is ever applied or rejected. */
  const rotateWith = async (session: Session, change: Partial<RotationRequest>) => {
    const found = fake.resolves({ session })
    const sessions = {
      updateOne: () => Promise.reject(serverError(217)),
      findOne: () => Promise.resolve(null),
      deleteOne: () => Promise.resolve({ deletedCount: 0 }),
    }
    const db = markErrors({ command: () => Promise.reject(serverError(217)) })
    const rotate = createRotate({ db, sessions } as unknown as Parameters<typeof createRotate>[0], found)
    const error: unknown = await rotate({ ...aRotation(session), ...change }).catch(
      (thrown: unknown) => thrown,
    )
    return { error, finds: found.callCount }
  }

  it('fails with `unavailable` after a limited number of attempts', async () => {
    const session = aSession({ id: 1, epoch: 1 } as Account, 'one')
    const replay = { from: pairIdOf('long gone'), keyDigest: keyDigestOf('of a thief'), grace: 0 }
    for (const change of [{}, { found: session }, replay]) {
      const { error, finds } = await rotateWith(session, change)
      expect(error).to.have.property('code', 'unavailable')
      expect(finds).to.equal(50)
    }
  })
})

/** Remembers the server's last reply to a read of sessions, and can return this reply to the next read. */
function keepingReads(client: MongoClient) {
  let kept: Document | undefined
  let instead: Document | undefined
  const open = client.db.bind(client)
  client.db = (...given) => {
    const db: Db = open(...given)
    const command = db.command.bind(db)
    db.command = async (...asked) => {
      if (!('aggregate' in asked[0])) return await command(...asked)
      const answer = instead ?? (await command(...asked))
      instead = undefined
      kept = answer
      return answer
    }
    return db
  }
  return {
    last: () => kept,
    answerOnce: (answer: Document | undefined) => {
      instead = answer
    },
  }
}
