import { expect } from 'chai'
import { giveFactor } from '../../../src/contracts/arrangements.js'
import { recoveryDigestOf, stepOf } from '../../../src/contracts/samples.js'
import type { AccountId } from '../../../src/domain/identity/account.js'
import type { Store } from '../../../src/ports/store.js'
import type { OtherProcess } from './other-process.js'
import { account } from './samples.js'

/** Each code that two processes take 16 wide is taken once, be it a step or a recovery code. */
export async function expectSingleCodes(store: Store, others: readonly OtherProcess[]): Promise<void> {
  await store.accounts.insert(account('user@example.org'))
  await giveFactor(store, { id: 1 as AccountId })
  const codes = [stepOf(1), stepOf(2), recoveryDigestOf('factor one'), recoveryDigestOf('factor two')]
  for (const code of codes) {
    const answers = (await Promise.all(others.map((one) => one.ask(String(code))))) as string[][]
    expect(answers.flat()).to.have.lengthOf(32)
    expect(answers.flat().filter((one) => one === 'taken')).to.deep.equal(['taken'])
  }
}
