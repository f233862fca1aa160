import { expect } from 'chai'
import type { Db, Document, MongoClient } from 'mongodb'
import { loadDriver } from '../../../src/adapters/mongodb/driver.js'
import { marked } from '../../../src/adapters/mongodb/driver-errors.js'
import { createRotate } from '../../../src/adapters/mongodb/rotation.js'
import { openMongo } from '../../../src/adapters/mongodb/store.js'
import { loggedIn, logIn } from '../../../src/contracts/arrangements.js'
import { aRotation, aSession, GRACE, keyDigestOf, NOW, pairIdOf } from '../../../src/contracts/samples.js'
import type { Account } from '../../../src/domain/identity/account.js'
import type { RotationRequest } from '../../../src/domain/identity/rotation.js'
import type { ActiveSession, Session } from '../../../src/domain/identity/session.js'
import type { Store } from '../../../src/ports/store.js'
import { serverError, throwing } from '../../mongodb-faults/driver-faults.js'
import { createInjector, type Injection } from '../../mongodb-faults/injection.js'
import { freshDatabase, type FreshDatabase } from '../../support/mongodb/server.js'
import { describeWith } from '../../support/required-tools.js'
import { watchReads } from './read-preferences.js'

const NAMES = ['one', 'two', 'three', 'four', 'five', 'six', 'seven']

describeWith('mongodb', 'refreshes over MongoDB that come in together', () => {
  let database: FreshDatabase
  let store: Store
  let sessions: readonly Session[]
  let sent: string[]

  beforeEach(async () => {
    sent = []
    database = freshDatabase()
    store = await openMongo(database.url, {
      onClient: (client: MongoClient) =>
        client.on('commandStarted', ({ commandName }) => sent.push(commandName)),
    })
    const { account, session } = await loggedIn(store)
    sessions = [session, ...(await Promise.all(NAMES.map((name) => logIn(store, account, name))))]
    sent = []
  })
  afterEach(async () => {
    await store.close()
    await database.drop()
  })

  async function rotateAll(grace = GRACE): Promise<readonly string[]> {
    const answers = sessions.map((session) => store.sessions.rotate(aRotation(session, { grace })))
    return (await Promise.all(answers)).map(({ kind }) => kind)
  }

  const rotated = NAMES.map(() => 'rotated')

  it('are one read and one write', async () => {
    const found = await Promise.all(sessions.map(({ id }) => store.sessions.findById(id, NOW)))
    expect(found.map((one) => one?.session)).to.deep.equal(sessions)
    expect(await rotateAll()).to.deep.equal(['rotated', ...rotated])
    expect(sent).to.deep.equal(['aggregate', 'update'])
  })

  it('are made each by its own, where another process has rotated one of the sessions', async () => {
    const [first] = sessions
    if (!first) throw new Error('there are eight')
    await store.sessions.rotate(aRotation(first, {}, 1))
    expect(await rotateAll()).to.deep.equal(['superseded', ...rotated])
  })

  it('are made each by its own, without a grace too, where one of them is a replay', async () => {
    const [first] = sessions
    if (!first) throw new Error('there are eight')
    await store.sessions.rotate(aRotation(first, { grace: 0 }, 1))
    expect(await rotateAll(0)).to.deep.equal(['replayed', ...rotated])
  })

  it('are made each by its own, where one of the sessions has ended', async () => {
    const [first] = sessions
    if (!first) throw new Error('there are eight')
    await store.sessions.end(first.id)
    expect(await rotateAll()).to.deep.equal(['unknown', ...rotated])
  })

  it('give two who find one session at once copies of their own', async () => {
    const [first] = sessions
    if (!first) throw new Error('there are eight')
    const [one, other] = await Promise.all([1, 2].map(() => store.sessions.findById(first.id, NOW)))
    expect(one).to.deep.equal(other)
    expect(one?.session.current).to.not.equal(other?.session.current)
    expect(sent).to.deep.equal(['aggregate'])
  })
})

describeWith('mongodb', 'a refresh over MongoDB', () => {
  const [bulk, single] = [createInjector(), createInjector()]
  let database: FreshDatabase
  let store: Store
  let session: Session
  let preferences: unknown[]

  beforeEach(async () => {
    preferences = []
    database = freshDatabase()
    store = await openMongo(database.url, {
      onClient: (client: MongoClient) => {
        watchReads(client, 'sessions', preferences)
        bulk.onClient(client)
        single.onClient(client)
      },
    })
    session = (await loggedIn(store)).session
  })
  afterEach(async () => {
    await store.close()
    await database.drop()
  })

  /** The command of all refreshes of a turn is answered so, and then the driver's own update of this one. */
  async function told(first: () => unknown, then?: Injection): Promise<unknown> {
    let answer: unknown
    const request = aRotation(session)
    await bulk.during({ at: 0, when: 'refused', answer: first }, () =>
      single.during(then, async () => {
        answer = await store.sessions.rotate(request).catch((error: unknown) => error)
      }),
    )
    return answer
  }
  const number = async () => (await store.sessions.findById(session.id, NOW + 1))?.session.current.number

  it('does not believe the session that comes with it: the keys of the stored one count', async () => {
    const keyDigest = keyDigestOf('of a thief')
    const { current } = session
    const pretended = [
      { ...session, current: { ...current, keyDigest } },
      { ...session, previous: { pairId: pairIdOf('none'), keyDigest, until: NOW + GRACE } },
    ]
    for (const found of pretended)
      expect(await store.sessions.rotate(aRotation(session, { keyDigest, found }))).to.deep.equal({
        kind: 'mismatched',
      })
    expect(await number()).to.equal(1)
  })

  it('does not believe without a grace that the window of the key before is open', async () => {
    const rotated = await store.sessions.rotate(aRotation(session))
    if (rotated.kind !== 'rotated') throw new Error('it is the first')
    const { keyDigest } = session.current
    const found = { ...rotated.session, current: { ...rotated.session.current, keyDigest } }
    const request = aRotation(rotated.session, { keyDigest, found, grace: 0 })
    expect(await store.sessions.rotate(request)).to.deep.equal({ kind: 'mismatched' })
    expect(await number()).to.equal(2)
  })

  it('is made by the driver, which tries again, where the command has failed, and is not looked for', async () => {
    expect(await told(throwing(() => serverError(91)))).to.have.property('kind', 'rotated')
    expect(await number()).to.equal(2)
    expect(preferences).to.deep.equal([])
  })

  it('is found again by the primary where the answer to that is lost too', async () => {
    const lost: Injection = { at: 1, when: 'lost', answer: throwing(() => serverError(217)) }
    expect(
      await told(
        throwing(() => serverError(91)),
        lost,
      ),
    ).to.have.property('kind', 'rotated')
    expect(preferences).to.deep.equal(['primary'])
  })

  it('is unavailable where that fails too', async () => {
    const refused: Injection = { at: 1, when: 'refused', answer: throwing(() => serverError(64)) }
    expect(
      await told(
        throwing(() => serverError(91)),
        refused,
      ),
    ).to.have.property('code', 'unavailable')
    expect(await number()).to.equal(1)
  })

  it('is not tried again where our own code fails', async () => {
    expect(await told(() => undefined)).to.be.instanceOf(TypeError)
    expect(await number()).to.equal(1)
  })
})

describeWith('mongodb', 'a refresh over MongoDB whose session a primary tells that is none any more', () => {
  it('is judged by the session as it is before it is taken for a replay, and ends nothing', async () => {
    const database = freshDatabase()
    const reads = keepingReads()
    const store = await openMongo(database.url, { onClient: (client) => reads.of(client as MongoClient) })
    try {
      const { session } = await loggedIn(store)
      await store.sessions.findById(session.id, NOW)
      const behind = reads.last()
      const rotated = await store.sessions.rotate(aRotation(session, {}, 1))
      if (rotated.kind !== 'rotated') throw new Error('it is the first')
      reads.answerOnce(behind)
      const next = await store.sessions.rotate(aRotation(rotated.session, { grace: 0, found: session }, 2))
      expect(next.kind).to.equal('rotated')
      expect((await store.sessions.findById(session.id, NOW))?.session.current.number).to.equal(3)
    } finally {
      await store.close()
      await database.drop()
    }
  })
})

describe('a refresh over MongoDB of which no command reports an outcome', () => {
  before(loadDriver)

  /** The session is always found as it was, and no write is ever made or refused. */
  const rotateWith = async (session: Session, change: Partial<RotationRequest>) => {
    let finds = 0
    const found = async () => {
      finds += 1
      return { session } as ActiveSession
    }
    const sessions = {
      updateOne: () => Promise.reject(serverError(217)),
      findOne: () => Promise.resolve(null),
      deleteOne: () => Promise.resolve({ deletedCount: 0 }),
    }
    const db = marked({ command: () => Promise.reject(serverError(217)) })
    const parts = { db, sessions }
    const rotate = createRotate(parts as unknown as Parameters<typeof createRotate>[0], found)
    const error: unknown = await rotate({ ...aRotation(session), ...change }).catch(
      (thrown: unknown) => thrown,
    )
    return { error, finds }
  }

  it('is unavailable after a bounded number of turns', async () => {
    const session = aSession({ id: 1, epoch: 1 } as Account, 'one')
    for (const change of [
      {},
      { found: session },
      { from: pairIdOf('long gone'), keyDigest: keyDigestOf('of a thief'), grace: 0 },
    ]) {
      const { error, finds } = await rotateWith(session, change)
      expect(error).to.have.property('code', 'unavailable')
      expect(finds).to.equal(50)
    }
  })
})

/** Keeps what the server has answered to a read of sessions, and gives it once more in place of the next one. */
function keepingReads() {
  let kept: Document | undefined
  let instead: Document | undefined
  return {
    of: (client: MongoClient) => {
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
    },
    last: () => kept,
    answerOnce: (answer: Document | undefined) => {
      instead = answer
    },
  }
}
