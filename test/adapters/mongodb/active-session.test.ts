import { expect } from 'chai'
import { MongoClient, type CommandSucceededEvent } from 'mongodb'
import { openMongo } from '../../../src/adapters/mongodb/store.js'
import { enrol, logIn } from '../../../src/contracts/arrangements.js'
import { anActor, NOW } from '../../../src/contracts/samples.js'
import type { Account } from '../../../src/domain/identity/account.js'
import type { Session } from '../../../src/domain/identity/session.js'
import type { Store } from '../../../src/ports/store.js'
import { serverError, throwing } from '../../mongodb-faults/driver-faults.js'
import { createInjector } from '../../mongodb-faults/injection.js'
import { freshDatabase, type FreshDatabase } from '../../support/mongodb/server.js'
import { describeWith } from '../../support/required-tools.js'

const LABELS = ['one', 'two', 'three']

describeWith('mongodb', 'a look-up of a session over MongoDB', () => {
  const injector = createInjector()
  let database: FreshDatabase
  let client: MongoClient
  let store: Store
  let account: Account
  let sessions: readonly Session[]
  let batches: number[] = []

  beforeEach(async () => {
    database = freshDatabase()
    client = new MongoClient(database.url)
    store = await openMongo(database.url, {
      onClient: (one: MongoClient) => {
        injector.onClient(one)
        one.on('commandSucceeded', ({ commandName, reply }: CommandSucceededEvent) => {
          if (commandName === 'aggregate') batches.push(foundIn(reply))
        })
      },
    })
    account = await enrol(store)
    sessions = await Promise.all(LABELS.map((label) => logIn(store, account, label)))
    batches = []
  })
  afterEach(async () => {
    await Promise.all([store.close(), client.close()])
    await database.drop()
  })

  const first = () => sessions[0] as Session
  const byId = async () => (await store.sessions.findById(first().id, NOW))?.session
  const byKey = async () => (await store.sessions.find(first().current.keyDigest, NOW))?.session

  it('reads that session and no other one', async () => {
    expect([await byId(), await byKey()]).to.deep.equal([first(), first()])
    expect(batches).to.deep.equal([1, 1])
  })

  it('is made once more where the server fails', async () => {
    const answer = throwing(() => serverError(91))
    let found: Session | undefined
    const trips = await injector.during({ at: 0, when: 'refused', answer }, async () => {
      found = await byId()
    })
    expect(found).to.deep.equal(first())
    expect(trips).to.deep.equal(['command', 'toArray'])
  })

  it('is not made once more where our own code fails', async () => {
    let error: unknown
    const trips = await injector.during({ at: 0, when: 'refused', answer: () => ({}) }, async () => {
      error = await byId().catch((thrown: unknown) => thrown)
    })
    expect(error).to.be.instanceOf(TypeError)
    expect(trips).to.deep.equal(['command'])
  })

  // What a crash between the change of an account and the end of its sessions leaves behind.
  for (const [what, change] of [
    ['is disabled', { disabledAt: NOW }],
    ['has a later epoch', { epoch: 2 }],
  ] as const)
    it(`finds nothing where the account ${what} and its sessions are still there`, async () => {
      await client.db().collection('accounts').updateOne({}, { $set: change })
      expect([await byId(), await byKey()]).to.deep.equal([undefined, undefined])
      expect(await client.db().collection('sessions').countDocuments()).to.equal(LABELS.length)
    })

  it('asks for the accounts that act only where one does', async () => {
    const list = () => store.sessions.pageOf({ accountId: account.id, limit: 10, at: NOW })
    expect(await injector.during(undefined, list)).to.deep.equal(['findOne', 'toArray'])
    await logIn(store, account, 'acting', { actor: anActor(await enrol(store, 'bob')) })
    expect(await injector.during(undefined, list)).to.deep.equal(['findOne', 'toArray', 'toArray'])
  })
})

function foundIn(reply: unknown): number {
  return (reply as { cursor: { firstBatch: readonly unknown[] } }).cursor.firstBatch.length
}
