import { expect } from 'chai'
import { openMongo } from '../../../../src/adapters/mongodb/store.js'
import type { AccountId, Epoch } from '../../../../src/domain/identity/account.js'
import type { SessionId } from '../../../../src/domain/identity/session.js'
import { freshDatabase, type FreshDatabase } from '../../../support/mongodb/server.js'
import { expectLimitedSessions } from '../../../support/several-processes/limited-sessions.js'
import { expectLaterLoginsToLive } from '../../../support/several-processes/logins-and-ends.js'
import { expectLoginRotations } from '../../../support/several-processes/login-rotations.js'
import { startProcess } from '../../../support/several-processes/other-process.js'
import { expectSingleCodes } from '../../../support/several-processes/single-codes.js'
import { expectSingleWinners } from '../../../support/several-processes/single-winners.js'
import { expectStrictRotations } from '../../../support/several-processes/strict-rotations.js'
import {
  account,
  login,
  mailJob,
  NOON,
  RESET_TOKEN,
  session,
} from '../../../support/several-processes/samples.js'
import { describeWith } from '../../../support/required-tools.js'

const FIRST = 1 as AccountId

describeWith('mongodb', 'a MongoDB database of several processes', () => {
  let database: FreshDatabase

  beforeEach(() => {
    database = freshDatabase()
  })
  afterEach(() => database.drop())

  async function start(count: number, task: string) {
    return await Promise.all(Array.from({ length: count }, () => startProcess(task, database.url)))
  }

  it('is made once when ten open it at once', async () => {
    const others = await start(10, 'open')
    const answers = await Promise.all(others.map((one, index) => one.ask(`user${index}`)))
    await Promise.all(others.map((one) => one.end()))
    const store = await openMongo(database.url)
    const accounts = await store.accounts.page(undefined, 100)
    await store.close()
    expect(answers).to.deep.equal(Array.from({ length: 10 }, () => 'inserted'))
    expect(accounts.map((one) => one.id)).to.deep.equal([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
  })

  it('moves a session on once when two refresh it 16 wide', async () => {
    const store = await openMongo(database.url)
    await store.accounts.insert(account('user@example.org'))
    const others = await start(2, 'rotate')
    for (let round = 0; round < 5; round += 1) {
      await store.sessions.open(session('shared', FIRST))
      const answers = await Promise.all(others.map((one, index) => one.ask(`${round} ${index}`)))
      const rotations = answers.flat() as [string, string][]
      const kinds = rotations.map(([kind]) => kind)
      expect(kinds.filter((kind) => kind === 'rotated')).to.have.length(1)
      expect(kinds.filter((kind) => kind === 'superseded')).to.have.length(31)
      expect(new Set(rotations.map(([, pairId]) => pairId)).size).to.equal(1)
      await store.sessions.end('shared' as SessionId)
    }
    await Promise.all(others.map((one) => one.end()))
    await store.close()
  })

  it('moves a session on once without a grace, and ends it, when two refresh it whose clocks disagree', async () => {
    const store = await openMongo(database.url)
    await expectStrictRotations(store, database.url)
    await store.close()
  })

  it('gives a login without a session one successor when two refresh it, and finds a spent token once', async () => {
    const store = await openMongo(database.url)
    await expectLoginRotations(store, database.url)
    await store.close()
  })

  it('keeps the logins of two others that began after the end of all sessions was seen', async () => {
    const store = await openMongo(database.url)
    await expectLaterLoginsToLive(store, database.url)
    await store.close()
  })

  it('accepts no login that another process has ended', async () => {
    const store = await openMongo(database.url)
    await store.accounts.insert(account('user@example.org'))
    const other = await startProcess('revoke', database.url)
    const asked = async () =>
      await Promise.all(['ended', 'active'].map((id) => store.revocations.isRevoked(login(id, FIRST), NOON)))
    const before = await asked()
    await other.ask('ended')
    const after = await asked()
    await other.end()
    await store.close()
    expect([before, after]).to.deep.equal([
      [false, false],
      [true, false],
    ])
  })

  it('counts each revocation once when two purge them 16 wide', async () => {
    const store = await openMongo(database.url)
    for (let count = 0; count < 40; count += 1) {
      await store.revocations.revoke(`login ${count}` as SessionId, NOON)
    }
    const others = await start(2, 'purge')
    const answers = (await Promise.all(others.map((one) => one.ask('purge')))) as number[][]
    await Promise.all(others.map((one) => one.end()))
    const late = await store.revocations.purge(NOON, 100)
    await store.close()
    expect(answers.flat().reduce((sum, count) => sum + count, late)).to.equal(40)
    expect(Math.max(...answers.flat())).to.equal(3)
  })

  it('resets a password once when two consume one token 16 wide', async () => {
    const store = await openMongo(database.url)
    await store.accounts.insert(account('user@example.org'))
    const others = await start(2, 'reset')
    for (let epoch = 1; epoch <= 5; epoch += 1) {
      await store.accounts.issueResetToken(FIRST, epoch as Epoch, RESET_TOKEN)
      const answers = await Promise.all(others.map((one, index) => one.ask(`${epoch} ${index}`)))
      const ids = answers as number[][]
      const after = await store.accounts.find(FIRST)
      const winner = ids.findIndex((one) => one.includes(FIRST))
      expect(ids.flat().filter((id) => id !== 0)).to.deep.equal([FIRST])
      expect(after?.epoch).to.equal(epoch + 1)
      expect(after?.passwordHash).to.equal(`${epoch} ${winner} ${ids[winner]?.indexOf(FIRST)}`)
    }
    await Promise.all(others.map((one) => one.end()))
    await store.close()
  })

  it('leaves an account as many sessions as it may have when two log it in 16 wide', async () => {
    const store = await openMongo(database.url)
    const others = await start(2, 'openWithLimit')
    await expectLimitedSessions(store, others)
    await Promise.all(others.map((one) => one.end()))
    await store.close()
  })

  it('takes each code once when two take it 16 wide', async () => {
    const store = await openMongo(database.url)
    const others = await start(2, 'code')
    await expectSingleCodes(store, others)
    await Promise.all(others.map((one) => one.end()))
    await store.close()
  })

  it('removes or changes a pet once when two do both 16 wide', async () => {
    const store = await openMongo(database.url)
    const others = await start(2, 'change')
    await expectSingleWinners(store, others)
    await Promise.all(others.map((one) => one.end()))
    await store.close()
  })

  it('gives each mail to one of two that claim them 16 wide', async () => {
    const store = await openMongo(database.url)
    const ids = Array.from({ length: 24 }, (_, index) => `mail ${String(index).padStart(2, '0')}`)
    for (const id of ids) await store.mailQueue.enqueue(mailJob(id), 100)
    const others = await start(2, 'claim')
    const answers = (await Promise.all(others.map((one) => one.ask('claim')))) as string[][]
    await Promise.all(others.map((one) => one.end()))
    await store.close()
    const none = Array.from({ length: 8 }, () => 'none')
    expect(answers.flat().sort()).to.deep.equal([...ids, ...none])
  })

  it('holds one account when two register one email 16 wide', async () => {
    const others = await start(2, 'register')
    const answers = await Promise.all(others.map((one) => one.ask('user@example.org')))
    await Promise.all(others.map((one) => one.end()))
    const kinds = (answers.flat() as string[]).sort()
    expect(kinds).to.deep.equal([...Array.from({ length: 31 }, () => 'duplicate-email'), 'inserted'])
  })

  it('takes the writes of all who write at once', async () => {
    const store = await openMongo(database.url)
    await store.accounts.insert(account('user@example.org'))
    const others = await start(3, 'write')
    const answers = await Promise.all(others.map((one, index) => one.ask(`writer ${index}`)))
    await Promise.all(others.map((one) => one.end()))
    const count = await store.sessions.endAllOf(FIRST)
    await store.close()
    expect(answers).to.deep.equal([200, 200, 200])
    expect(count).to.equal(600)
  })
})
