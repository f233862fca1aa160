import { expect } from 'chai'
import { setImmediate } from 'node:timers/promises'

import { connect } from '../../../../src/adapters/sqlite/driver.js'
import { setting } from '../../../../src/adapters/sqlite/schema.js'
import { openSqlite } from '../../../../src/adapters/sqlite/store.js'
import type { PageLimit } from '../../../../src/domain/page-limit.js'
import type { PetId } from '../../../../src/domain/catalogue/pet.js'
import type { Account, AccountId, Epoch } from '../../../../src/domain/identity/account.js'
import type { KeyDigest, SessionId } from '../../../../src/domain/identity/session.js'
import { expectLimitedSessions } from '../../../support/several-processes/limited-sessions.js'
import { expectLaterLoginsToLive } from '../../../support/several-processes/logins-and-ends.js'
import { expectLoginRotations } from '../../../support/several-processes/login-rotations.js'
import { startProcess } from '../../../support/several-processes/other-process.js'
import { expectSingleCodes } from '../../../support/several-processes/single-codes.js'
import { expectSingleWinners } from '../../../support/several-processes/single-winners.js'
import { expectStrictRotations } from '../../../support/several-processes/strict-rotations.js'
import { refused } from '../refused.js'
import {
  account,
  login,
  mailJob,
  NOON,
  pet,
  RESET_TOKEN,
  session,
} from '../../../support/several-processes/samples.js'
import { suiteFolder } from '../../../support/temporary-folder.js'

const FIRST = 1 as AccountId

describe('a SQLite file of several processes', () => {
  const inFolder = suiteFolder()

  async function start(count: number, task: string, path: string) {
    return await Promise.all(Array.from({ length: count }, () => startProcess(task, path)))
  }

  async function integrity(path: string) {
    const connection = await connect(path)
    const verdict = setting(connection, 'PRAGMA integrity_check')
    connection.close()
    return verdict
  }

  it('is made once when ten open it at once', async () => {
    const path = inFolder('ten.db')
    const others = await start(10, 'open', path)
    const answers = await Promise.all(others.map((one, index) => one.ask(`user${index}`)))
    await Promise.all(others.map((one) => one.end()))
    const store = await openSqlite(path)
    const accounts = await store.accounts.page(undefined, 100)
    await store.close()
    expect(answers).to.deep.equal(Array.from({ length: 10 }, () => 'inserted'))
    expect(accounts.map((one) => one.id)).to.deep.equal([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
    expect(await integrity(path)).to.equal('ok')
  })

  it('moves a session on once when two refresh it 16 wide', async () => {
    const path = inFolder('rotate.db')
    const store = await openSqlite(path)
    await store.accounts.insert(account('user@example.org'))
    const others = await start(2, 'rotate', path)
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
    expect(await integrity(path)).to.equal('ok')
  })

  it('accepts no login that another process has ended', async () => {
    const path = inFolder('revoked.db')
    const store = await openSqlite(path)
    await store.accounts.insert(account('user@example.org'))
    const other = await startProcess('revoke', path)
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
    const path = inFolder('purged.db')
    const store = await openSqlite(path)
    for (let count = 0; count < 40; count += 1) {
      await store.revocations.revoke(`login ${count}` as SessionId, NOON)
    }
    const others = await start(2, 'purge', path)
    const answers = (await Promise.all(others.map((one) => one.ask('purge')))) as number[][]
    await Promise.all(others.map((one) => one.end()))
    const late = await store.revocations.purge(NOON, 100)
    await store.close()
    expect(answers.flat().reduce((sum, count) => sum + count, late)).to.equal(40)
    expect(Math.max(...answers.flat())).to.equal(3)
  })

  it('resets a password once when two consume one token 16 wide', async () => {
    const path = inFolder('reset.db')
    const store = await openSqlite(path)
    await store.accounts.insert(account('user@example.org'))
    const others = await start(2, 'reset', path)
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
    expect(await integrity(path)).to.equal('ok')
  })

  it('leaves an account as many sessions as it may have when two log it in 16 wide', async () => {
    const path = inFolder('limited.db')
    const store = await openSqlite(path)
    const others = await start(2, 'openWithLimit', path)
    await expectLimitedSessions(store, others)
    await Promise.all(others.map((one) => one.end()))
    await store.close()
  })

  it('takes each code once when two take it 16 wide', async () => {
    const path = inFolder('codes.db')
    const store = await openSqlite(path)
    const others = await start(2, 'code', path)
    await expectSingleCodes(store, others)
    await Promise.all(others.map((one) => one.end()))
    await store.close()
  })

  it('removes or changes a pet once when two do both 16 wide', async () => {
    const path = inFolder('changes.db')
    const store = await openSqlite(path)
    const others = await start(2, 'change', path)
    await expectSingleWinners(store, others)
    await Promise.all(others.map((one) => one.end()))
    await store.close()
  })

  it('gives each mail to one of two that claim them 16 wide', async () => {
    const path = inFolder('mails.db')
    const store = await openSqlite(path)
    const ids = Array.from({ length: 24 }, (_, index) => `mail ${String(index).padStart(2, '0')}`)
    for (const id of ids) await store.mailQueue.enqueue(mailJob(id), 100)
    const others = await start(2, 'claim', path)
    const answers = (await Promise.all(others.map((one) => one.ask('claim')))) as string[][]
    await Promise.all(others.map((one) => one.end()))
    await store.close()
    const none = Array.from({ length: 8 }, () => 'none')
    expect(answers.flat().sort()).to.deep.equal([...ids, ...none])
  })

  it('moves a session on once without a grace, and ends it, when two refresh it whose clocks disagree', async () => {
    const path = inFolder('once.db')
    const store = await openSqlite(path)
    await expectStrictRotations(store, path)
    await store.close()
  })

  it('gives a login without a session one successor when two refresh it, and finds a spent token once', async () => {
    const path = inFolder('login.db')
    const store = await openSqlite(path)
    await expectLoginRotations(store, path)
    await store.close()
    expect(await integrity(path)).to.equal('ok')
  })

  it('keeps the logins of two others that began after the end of all sessions was seen', async () => {
    const path = inFolder('logins.db')
    const store = await openSqlite(path)
    await expectLaterLoginsToLive(store, path)
    await store.close()
  })

  it('holds one account when two register one email 16 wide', async () => {
    const path = inFolder('register.db')
    const others = await start(2, 'register', path)
    const answers = await Promise.all(others.map((one) => one.ask('user@example.org')))
    await Promise.all(others.map((one) => one.end()))
    const kinds = (answers.flat() as string[]).sort()
    expect(kinds).to.deep.equal([...Array.from({ length: 31 }, () => 'duplicate-email'), 'inserted'])
  })

  it('takes the writes of all who write at once', async () => {
    const path = inFolder('write.db')
    const store = await openSqlite(path)
    await store.accounts.insert(account('user@example.org'))
    const others = await start(3, 'write', path)
    const answers = await Promise.all(others.map((one, index) => one.ask(`writer ${index}`)))
    await Promise.all(others.map((one) => one.end()))
    const count = await store.sessions.endAllOf(FIRST)
    await store.close()
    expect(answers).to.deep.equal([200, 200, 200])
    expect(count).to.equal(600)
    expect(await integrity(path)).to.equal('ok')
  })

  it('holds whole accounts only, while they are made and when their writer was killed', async () => {
    const path = inFolder('killed.db')
    const other = await startProcess('enlist', path)
    await other.ask('begin')
    const store = await openSqlite(path)
    const seen: Account[] = []
    for (let reads = 0; reads < 20_000 && seen.length < 2_000; reads += 1) {
      seen.push(...(await store.accounts.page(seen.at(-1)?.id, 1_000)))
      await setImmediate()
    }
    await other.kill()
    const left = await store.accounts.page(undefined, 100_000)
    await store.close()
    expect(seen.length).to.be.at.least(2_000)
    expect([...seen, ...left].filter(({ roles }) => roles.length !== 3)).to.deep.equal([])
    expect(await integrity(path)).to.equal('ok')
  })

  it('sees at once what another process has acknowledged', async () => {
    const path = inFolder('seen.db')
    const [one, other] = [await openSqlite(path), await openSqlite(path)]
    await one.accounts.insert(account('user@example.org'))
    await one.sessions.open(session('seen', FIRST))
    const digest = 'seen key 1' as KeyDigest
    const before = await other.sessions.find(digest, NOON)
    await one.accounts.setDisabled(FIRST, NOON)
    const after = await other.sessions.find(digest, NOON)
    await Promise.all([one.close(), other.close()])
    expect(before?.session.id).to.equal('seen')
    expect(after).to.equal(undefined)
  })

  it('sees what another connection of this process has written between two reads, without giving way', async () => {
    const path = inFolder('beside.db')
    const store = await openSqlite(path)
    await store.pets.insert(pet('Rex'))
    const other = await connect(path)
    const namesSeen = async () => [
      (await store.pets.find(1 as PetId))?.name,
      (await store.pets.page(undefined, 1 as PageLimit)).pets[0]?.name,
    ]
    const before = await namesSeen()
    other.exec("UPDATE pets SET name = 'Max'")
    const after = await namesSeen()
    other.close()
    await store.close()
    expect([before, after]).to.deep.equal([
      ['Rex', 'Rex'],
      ['Max', 'Max'],
    ])
  })

  it('waits for a lock without stopping the event loop', async () => {
    const path = inFolder('waits.db')
    const store = await openSqlite(path)
    const other = await startProcess('lock', path)
    await other.ask('hold')
    const inserting = store.pets.insert(pet('Waiting'))
    const read = await store.accounts.page(undefined, 1)
    // The lock is held until these have passed: an event loop that stood still would never get to its release.
    for (let turns = 0; turns < 100; turns += 1) await setImmediate()
    const released = other.ask('release')
    const inserted = await inserting
    await released
    await other.end()
    await store.close()
    expect(read).to.deep.equal([])
    expect(inserted).to.deep.equal({ kind: 'inserted', id: 1 })
  })

  it('is unavailable when a lock outlasts the timeout, and works again afterwards', async () => {
    const path = inFolder('outlasts.db')
    const store = await openSqlite(path, { busyTimeout: 5, timeout: 200 })
    const other = await startProcess('lock', path)
    await other.ask('hold')
    const refusal = await refused(store.pets.insert(pet('Late')))
    await other.ask('release')
    const inserted = await store.pets.insert(pet('Next'))
    await other.end()
    await store.close()
    expect([refusal.code, refusal.detail]).to.deep.equal([
      'unavailable',
      'The database file was kept locked by another process for too long.',
    ])
    expect(inserted).to.deep.equal({ kind: 'inserted', id: 1 })
  })

  it('can be opened while another process holds its lock', async () => {
    const path = inFolder('opened.db')
    await (await openSqlite(path)).close()
    const other = await startProcess('lock', path)
    await other.ask('hold')
    const store = await openSqlite(path)
    const found = await store.accounts.page(undefined, 1)
    await other.ask('release')
    await other.end()
    await store.close()
    expect(found).to.deep.equal([])
  })
})
