import { expect } from 'chai'
import type { CommandSucceededEvent, MongoClient } from 'mongodb'
import { addAccount, logIn } from '../../../src/contracts/arrangements.js'
import { anActor, NOW } from '../../../src/contracts/samples.js'
import type { Account } from '../../../src/domain/identity/account.js'
import type { Session } from '../../../src/domain/identity/session.js'
import { serverError, throwing, createInjector } from '../../mongodb-faults/injection.js'
import { databaseOfTests } from '../../support/mongodb/opened.js'
import { describeWith } from '../../support/required-tools.js'

const LABELS = ['one', 'two', 'three']

describeWith('mongodb', 'a lookup of a session in MongoDB', () => {
  const injector = createInjector()
  let account: Account
  let first: Session
  let batches: number[] = []

  const opened = databaseOfTests({
    onClient: (client: MongoClient) => {
      injector.onClient(client)
      client.on('commandSucceeded', ({ commandName, reply }: CommandSucceededEvent) => {
        if (commandName === 'aggregate') batches.push(sizeOf(reply))
      })
    },
  })
  beforeEach(async () => {
    account = await addAccount(opened().store)
    const sessions = await Promise.all(LABELS.map((label) => logIn(opened().store, account, label)))
    first = sessions[0] as Session
    batches = []
  })

  const byId = async () => (await opened().store.sessions.findById(first.id, NOW))?.session
  const byKey = async () => (await opened().store.sessions.find(first.current.keyDigest, NOW))?.session

  it('reads only the requested session', async () => {
    expect([await byId(), await byKey()]).to.deep.equal([first, first])
    expect(batches).to.deep.equal([1, 1])
  })

  it('is retried if the server fails', async () => {
    const answer = throwing(() => serverError(91))
    let found: Session | undefined
    const trips = await injector.during({ at: 0, when: 'refused', answer }, async () => {
      found = await byId()
    })
    expect([found, trips]).to.deep.equal([first, ['command', 'toArray']])
  })

  it("is not retried if Kennel's own code fails", async () => {
    let error: unknown
    const trips = await injector.during({ at: 0, when: 'refused', answer: () => ({}) }, async () => {
      error = await byId().catch((thrown: unknown) => thrown)
    })
    expect(error).to.be.instanceOf(TypeError)
    expect(trips).to.deep.equal(['command'])
  })

  // This is the state after a crash between changing an account and ending its sessions.
  for (const [what, change] of [
    ['a disabled account', { disabledAt: NOW }],
    ['an account with a later epoch', { epoch: 2 }],
  ] as const)
    it(`finds no session of ${what}, even if the session is still in the database`, async () => {
      await opened().db.collection('accounts').updateOne({}, { $set: change })
      expect([await byId(), await byKey()]).to.deep.equal([undefined, undefined])
      expect(await opened().db.collection('sessions').countDocuments()).to.equal(LABELS.length)
    })

  it('reads the accounts of actors only if some session has an actor', async () => {
    const { store } = opened()
    const list = () => store.sessions.pageOf({ accountId: account.id, limit: 10, at: NOW })
    expect(await injector.during(undefined, list)).to.deep.equal(['findOne', 'toArray'])
    await logIn(store, account, 'acting', { actor: anActor(await addAccount(store, 'bob')) })
    expect(await injector.during(undefined, list)).to.deep.equal(['findOne', 'toArray', 'toArray'])
  })
})

function sizeOf(reply: unknown): number {
  return (reply as { cursor: { firstBatch: readonly unknown[] } }).cursor.firstBatch.length
}
