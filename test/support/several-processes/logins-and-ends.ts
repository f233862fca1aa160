import { expect } from 'chai'
import type { Account, AccountId } from '../../../src/domain/identity/account.js'
import type { PasswordHash } from '../../../src/domain/identity/password.js'
import type { SessionId } from '../../../src/domain/identity/session.js'
import type { Store } from '../../../src/ports/store.js'
import { startProcess } from './other-process.js'
import { account, NOON, session } from './samples.js'

const FIRST = 1 as AccountId
const ROUNDS = 20

/** Every call that ends all sessions of an account that can still be logged in to. */
const ENDS: readonly ((store: Store, account: Account) => Promise<unknown>)[] = [
  (store, { id }) => store.sessions.endAllOf(id),
  (store, { id, epoch }) => store.accounts.setPassword(id, `hash ${epoch}` as PasswordHash),
  async (store, { id }) => {
    await store.accounts.setDisabled(id, NOON)
    await store.accounts.setDisabled(id, undefined)
  },
]

/**
 * Two other processes log in as soon as they can see that this one has ended the account's sessions;
 * none of their sessions ends, and the previous one does.
 */
export async function expectLaterLoginsToLive(store: Store, path: string): Promise<void> {
  await store.accounts.insert(account('user@example.org'))
  const others = await Promise.all([startProcess('login', path), startProcess('login', path)])
  for (let round = 0; round < ROUNDS; round += 1) {
    const before = await store.accounts.find(FIRST)
    if (!before) throw new Error('the account is gone')
    const older = { ...session(`older ${round}`, FIRST), epoch: before.epoch }
    await store.sessions.open(older)
    await Promise.all(others.map((one) => one.ask('watch')))
    await ENDS[round % ENDS.length]?.(store, before)
    const opened = (await Promise.all(others.map((one) => one.ask('opened')))).flat() as SessionId[]
    const found = await Promise.all(opened.map((id) => store.sessions.findById(id, NOON)))
    expect(opened).to.have.length(2 * 8)
    expect(
      found.filter((one) => one === undefined),
      `round ${round}`,
    ).to.deep.equal([])
    expect(await store.sessions.findById(older.id, NOON)).to.equal(undefined)
  }
  await Promise.all(others.map((one) => one.end()))
}
