import { expect } from 'chai'
import type { AccountId } from '../../../src/domain/identity/account.js'
import type { SessionId } from '../../../src/domain/identity/session.js'
import type { Store } from '../../../src/ports/store.js'
import { startProcess } from './other-process.js'
import { account, NOON, session } from './samples.js'

const SHARED = 'shared' as SessionId
const ROUNDS = 50

/** Two other processes refresh one session without a grace window, 16 wide; the clock of one process is behind. */
export async function expectStrictRotations(store: Store, path: string): Promise<void> {
  await store.accounts.insert(account('user@example.org'))
  const others = [await startProcess('rotateOnce', path), await startProcess('rotateOnce', path)]
  for (let round = 0; round < ROUNDS; round += 1) {
    await store.sessions.open(session(SHARED, 1 as AccountId))
    const answers = await Promise.all(others.map((one, index) => one.ask(`${index * 3} ${round}`)))
    const kinds = answers.flat() as string[]
    expect(kinds.filter((kind) => kind === 'rotated')).to.have.length(1)
    expect(kinds.filter((kind) => kind === 'replayed').length).to.be.at.least(1)
    expect(new Set(kinds)).to.not.include('superseded')
    expect(await store.sessions.findById(SHARED, NOON)).to.equal(undefined)
  }
  await Promise.all(others.map((one) => one.end()))
}
