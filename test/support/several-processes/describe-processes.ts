import { expect } from 'chai'
import { addFactor } from '../../../src/contracts/arrangements.js'
import { anIdempotency, aPet, recoveryDigestOf, stepOf } from '../../../src/contracts/samples.js'
import type { Account, AccountId, Epoch } from '../../../src/domain/identity/account.js'
import { PASSKEYS_MAX } from '../../../src/domain/identity/passkey.js'
import type { PasswordHash } from '../../../src/domain/identity/password.js'
import type { SessionId } from '../../../src/domain/identity/session.js'
import type { Store } from '../../../src/ports/store.js'
import { startProcess, type OtherProcess } from './other-process.js'
import { account, login, loginRotation, mailJob, NOON, resetProof, session } from './samples.js'

const FIRST = 1 as AccountId
const SHARED = 'shared' as SessionId
const [FEW, SOME, MANY] = [5, 20, 50]

/** A kind of store that several processes can open at the same time. */
export type SharedStore = {
  /** Returns the address of a new store for the next test. */
  readonly place: () => string | Promise<string>
  readonly open: (path: string) => Promise<Store>
  /** Checks or removes the data after a test. */
  readonly end: (path: string) => Promise<unknown>
}

type Answer = readonly [kind: string, pairId: string]

/** Every call that ends all sessions of an account but still permits new logins. */
const ENDS: readonly ((store: Store, account: Account) => Promise<unknown>)[] = [
  (store, { id }) => store.sessions.endAllOf(id),
  (store, { id, epoch }) => store.accounts.setPassword(id, `hash ${epoch}` as PasswordHash),
  async (store, { id }) => {
    await store.accounts.setDisabled(id, NOON)
    await store.accounts.setDisabled(id, undefined)
  },
]

const times = <T>(count: number, value: T) => Array.from({ length: count }, () => value)

/** Describes tests of a store that other processes use at the same time. Each process sends 16 concurrent requests. */
export function describeProcesses({ place, open, end }: SharedStore): void {
  let path = ''
  const stores: Store[] = []
  const processes: OtherProcess[] = []
  beforeEach(async () => {
    path = await place()
  })
  afterEach(async () => {
    await Promise.all(processes.splice(0).map((one) => one.end()))
    await Promise.all(stores.splice(0).map((one) => one.close()))
    await end(path)
  })

  async function opened(): Promise<Store> {
    const store = await open(path)
    stores.push(store)
    return store
  }

  async function withAccount(): Promise<Store> {
    const store = await opened()
    await store.accounts.insert(account('user@example.org'))
    return store
  }

  /** Starts processes with this task; calling the returned function sends a message to all of them concurrently. */
  async function start(count: number, task: string) {
    const others = await Promise.all(times(count, task).map((one) => startProcess(one, path)))
    processes.push(...others)
    return async (message: (index: number) => string) =>
      await Promise.all(others.map((one, index) => one.ask(message(index))))
  }

  it('is created only once when ten processes open it concurrently', async () => {
    const ask = await start(10, 'open')
    expect(await ask((index) => `user${index}`)).to.deep.equal(times(10, 'inserted'))
    const accounts = await (await opened()).accounts.page(undefined, 100)
    expect(accounts.map((one) => one.id)).to.deep.equal([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
  })

  it('rotates a session only once', async () => {
    const store = await withAccount()
    const ask = await start(2, 'rotate')
    for (let round = 0; round < FEW; round += 1) {
      await store.sessions.open(session(SHARED, FIRST))
      soleSuccessor((await ask((index) => `10000 0 ${round} ${index}`)).flat() as Answer[])
      await store.sessions.end(SHARED)
    }
  })

  it('without a grace window, rotates a session only once and then ends it, even if the clocks differ', async () => {
    const store = await withAccount()
    const ask = await start(2, 'rotate')
    for (let round = 0; round < MANY; round += 1) {
      await store.sessions.open(session(SHARED, FIRST))
      const answers = (await ask((index) => `0 ${index * 3} ${round}`)).flat() as Answer[]
      const kinds = answers.map(([kind]) => kind)
      expect(kinds.filter((kind) => kind === 'rotated')).to.have.length(1)
      expect(kinds.filter((kind) => kind === 'replayed').length).to.be.at.least(1)
      expect(new Set(kinds)).to.not.include('superseded')
      expect(await store.sessions.findById(SHARED, NOON)).to.equal(undefined)
    }
  })

  it('gives a stateless login one successor per refresh, and reports a replayed token only once', async () => {
    const store = await withAccount()
    const ask = await start(2, 'rotateLogin')
    for (let round = 0; round < MANY; round += 1) {
      const name = `login ${round}`
      const refresh = async (from: string, grace: number, late: number) => {
        const message = JSON.stringify({ name, from, grace, late })
        return (await ask((index) => `${index} ${message}`)).flat() as Answer[]
      }
      const second = soleSuccessor(await refresh('first', 10_000, 0))
      const third = soleSuccessor(await refresh(second, 10_000, 0))
      expect(await store.revocations.isRevoked(login(name, FIRST), NOON)).to.equal(false)
      const strict = round % 2 === 0
      const answers = strict ? await refresh(third, 0, 0) : await refresh(second, 10_000, 10_000)
      const expected = ['replayed', ...times(strict ? 30 : 31, 'revoked'), ...(strict ? ['rotated'] : [])]
      expect(answers.map(([kind]) => kind).sort()).to.deep.equal(expected)
      expect(await store.revocations.isRevoked(login(name, FIRST), NOON)).to.equal(true)
    }
    expect((await store.revocations.rotate(loginRotation('another login'))).kind).to.equal('rotated')
  })

  it('keeps sessions that start after all processes have seen the earlier sessions end', async () => {
    const store = await withAccount()
    const ask = await start(2, 'login')
    for (let round = 0; round < SOME; round += 1) {
      const before = await store.accounts.find(FIRST)
      if (!before) throw new Error('the account no longer exists')
      const older = { ...session(`older ${round}`, FIRST), epoch: before.epoch }
      await store.sessions.open(older)
      await ask(() => 'watch')
      await ENDS[round % ENDS.length]?.(store, before)
      const ids = (await ask(() => 'opened')).flat() as SessionId[]
      const found = await Promise.all(ids.map((id) => store.sessions.findById(id, NOON)))
      expect(found.map((one) => one?.session.id))
        .to.deep.equal(ids)
        .and.have.length(2 * 8)
      expect(await store.sessions.findById(older.id, NOON)).to.equal(undefined)
    }
  })

  it('rejects a login that another process has revoked', async () => {
    const store = await withAccount()
    const revoke = await start(1, 'revoke')
    const revoked = async () =>
      await Promise.all(['ended', 'active'].map((id) => store.revocations.isRevoked(login(id, FIRST), NOON)))
    expect(await revoked()).to.deep.equal([false, false])
    await revoke(() => 'ended')
    expect(await revoked()).to.deep.equal([true, false])
  })

  it('counts each purged revocation only once', async () => {
    const store = await opened()
    for (let count = 0; count < 40; count += 1)
      await store.revocations.revoke(`login ${count}` as SessionId, NOON)
    const counts = (await (await start(2, 'purge'))(() => 'purge')).flat() as number[]
    const late = await store.revocations.purge(NOON, 100)
    expect(counts.reduce((sum, count) => sum + count, late)).to.equal(40)
    expect(Math.max(...counts)).to.equal(3)
  })

  it('resets a password only once with the same token', async () => {
    const store = await withAccount()
    const ask = await start(2, 'reset')
    for (let epoch = 1; epoch <= FEW; epoch += 1) {
      await store.proofs.issue(resetProof(epoch as Epoch))
      const ids = (await ask((index) => `${epoch} ${index}`)) as (number | string)[][]
      const winner = ids.findIndex((one) => one.includes(FIRST))
      expect(ids.flat().filter((id) => id !== 'spent')).to.deep.equal([FIRST])
      const passwordHash = `${epoch} ${winner} ${ids[winner]?.indexOf(FIRST)}`
      expect(await store.accounts.find(FIRST)).to.include({ epoch: epoch + 1, passwordHash })
    }
  })

  it('keeps exactly as many sessions of an account as the limit allows', async () => {
    const store = await withAccount()
    const ask = await start(2, 'openWithLimit')
    for (let round = 1; round <= FEW; round += 1)
      for (const most of [1, 3]) {
        await ask((index) => `${most} of round ${round}, process ${index}`)
        const page = await store.sessions.pageOf({ accountId: FIRST, limit: 100, at: NOON })
        expect(page).to.have.lengthOf(most)
      }
  })

  it('accepts each one-time code and each recovery code only once', async () => {
    const store = await withAccount()
    await addFactor(store, { id: FIRST })
    const ask = await start(2, 'code')
    for (const code of [
      stepOf(1),
      stepOf(2),
      recoveryDigestOf('factor one'),
      recoveryDigestOf('factor two'),
    ]) {
      const answers = (await ask(() => String(code))).flat()
      expect(answers).to.have.lengthOf(32)
      expect(answers.filter((one) => one === 'taken')).to.deep.equal(['taken'])
    }
  })

  it('never exceeds the maximum number of passkeys, and never removes the last way to log in', async () => {
    const store = await opened()
    const { passwordHash: _, ...user } = account('user@example.org')
    await store.accounts.insert(user)
    const additions = (await (await start(2, 'addPasskey'))((index) => String(index))).flat() as string[]
    expect(additions.sort()).to.deep.equal([...times(PASSKEYS_MAX, 'added'), ...times(12, 'full')])
    const passkeys = await store.passkeys.listOf(FIRST)
    expect(passkeys).to.have.lengthOf(PASSKEYS_MAX)
    for (const { id } of passkeys.slice(2)) await store.passkeys.remove(FIRST, id)
    const labels = passkeys.slice(0, 2).map(({ name }) => name)
    const removals = (await (await start(2, 'removePasskey'))(() => labels.join(' '))).flat() as string[]
    expect(removals.sort()).to.deep.equal([...times(16, 'last-way'), 'removed', ...times(15, 'unknown')])
    expect(await store.passkeys.listOf(FIRST)).to.have.lengthOf(1)
  })

  it('deletes or patches each revision of a pet only once, with or without an idempotency key', async () => {
    const store = await opened()
    const ask = await start(2, 'change')
    for (let round = 1; round <= FEW; round += 1)
      for (const key of [undefined, anIdempotency({ key: `key-${round}` })]) {
        const made = await store.pets.insert(aPet('Rex'), key)
        if (made.kind !== 'inserted') throw new Error(`the pet was ${made.kind}`)
        const answers = (await ask(() => String(made.id))).flat() as string[]
        const [won, lost] = (await store.pets.find(made.id)) ? ['patched', 'stale'] : ['removed', 'unknown']
        expect(answers.sort()).to.deep.equal([won, ...times(31, lost)].sort())
        const repeated = { ...made, kind: 'repeated' }
        if (key) expect(await store.pets.insert(aPet('Rex'), key)).to.deep.equal(repeated)
      }
  })

  it('gives each queued email to only one claimant', async () => {
    const store = await opened()
    const ids = Array.from({ length: 24 }, (_, index) => `mail ${String(index).padStart(2, '0')}`)
    for (const id of ids) await store.mailQueue.enqueue(mailJob(id), 100)
    const claimed = (await (await start(2, 'claim'))(() => 'claim')).flat() as string[]
    expect(claimed.sort()).to.deep.equal([...ids, ...times(8, 'none')])
  })

  it('stores only one account for each email', async () => {
    const kinds = (await (await start(2, 'register'))(() => 'user@example.org')).flat() as string[]
    expect(kinds.sort()).to.deep.equal([...times(31, 'duplicate-email'), 'inserted'])
  })

  it('accepts the writes of all processes', async () => {
    const store = await withAccount()
    const ask = await start(3, 'write')
    expect(await ask((index) => `writer ${index}`)).to.deep.equal([200, 200, 200])
    expect(await store.sessions.endAllOf(FIRST)).to.equal(600)
  })
}

/** Expects that one request rotated the session, and that all others got its successor. */
function soleSuccessor(answers: readonly Answer[]): string {
  expect(answers.map(([kind]) => kind).sort()).to.deep.equal(['rotated', ...times(31, 'superseded')])
  const successors = [...new Set(answers.map(([, pairId]) => pairId))]
  expect(successors).to.have.length(1)
  return successors[0] ?? ''
}
