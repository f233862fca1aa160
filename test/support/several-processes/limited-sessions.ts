import { expect } from 'chai'
import type { AccountId } from '../../../src/domain/identity/account.js'
import type { Store } from '../../../src/ports/store.js'
import type { OtherProcess } from './other-process.js'
import { account, NOON } from './samples.js'

const ROUNDS = 5

/**
 * After concurrent logins of two processes, 16 wide, as many sessions remain as an account may have, even if only one.
 */
export async function expectLimitedSessions(store: Store, others: readonly OtherProcess[]): Promise<void> {
  await store.accounts.insert(account('user@example.org'))
  const page = { accountId: 1 as AccountId, limit: 100, at: NOON }
  for (let round = 1; round <= ROUNDS; round += 1) {
    for (const most of [1, 3]) {
      await Promise.all(others.map((one, index) => one.ask(`${most} of round ${round}, process ${index}`)))
      expect(await store.sessions.pageOf(page)).to.have.lengthOf(most)
    }
  }
}
