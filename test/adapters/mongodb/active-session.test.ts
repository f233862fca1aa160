import { expect } from 'chai'
import { addAccount, logIn } from '../../../src/contracts/arrangements.js'
import { NOW } from '../../../src/contracts/samples.js'
import type { Session } from '../../../src/domain/identity/session.js'
import { serverError, throwing, createInjector } from '../../mongodb-faults/injection.js'
import { databaseOfTests } from '../../support/mongodb/opened.js'
import { describeWith } from '../../support/required-tools.js'

const LABELS = ['one', 'two', 'three']

describeWith('mongodb', 'a lookup of a session in MongoDB', () => {
  const injector = createInjector()
  let first: Session

  const opened = databaseOfTests({ onClient: injector.onClient })
  beforeEach(async () => {
    const account = await addAccount(opened().store)
    const sessions = await Promise.all(LABELS.map((label) => logIn(opened().store, account, label)))
    first = sessions[0] as Session
  })

  const byId = async () => (await opened().store.sessions.findById(first.id, NOW))?.session
  const byKey = async () => (await opened().store.sessions.find(first.current.keyDigest, NOW))?.session

  it('is retried if the server fails', async () => {
    const answer = throwing(() => serverError(91))
    let found: Session | undefined
    const trips = await injector.during({ at: 0, when: 'refused', answer }, async () => {
      found = await byId()
    })
    expect([found, trips]).to.deep.equal([first, ['command', 'toArray']])
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
})
