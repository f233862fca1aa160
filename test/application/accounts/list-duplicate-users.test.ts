import { expect } from 'chai'
import { createMemoryStore } from '../../../src/adapters/memory/store.js'
import { OPERATOR } from '../../../src/domain/access/caller.js'
import type { Account } from '../../../src/domain/identity/account.js'
import type { Email } from '../../../src/domain/identity/email.js'
import type { NewAccount } from '../../../src/ports/accounts.js'
import { composeUseCases } from '../../support/use-cases.js'

/** Accounts as a store of an earlier release has them. */
async function composeSharing(accounts: readonly (NewAccount & Pick<Account, 'sharedEmail'>)[]) {
  const store = createMemoryStore()
  for (const account of accounts) await store.accounts.insert(account)
  return await composeUseCases({ store })
}

const sharing = (email: string, sharedEmail: string) =>
  ({ email: email as Email, sharedEmail: sharedEmail as Email, createdAt: 0 }) as const

describe('list duplicate users', () => {
  it('lists the accounts that share a canonical email, ordered by that email and then by ID, and no other accounts', async () => {
    const plain = Array.from({ length: 501 }, (_, id) => ({
      email: `user-${id}@example.com` as Email,
      createdAt: 0,
    }))
    const { useCases } = await composeSharing([
      sharing('νικος@example.com', 'νικοσ@example.com'),
      sharing('ada@bücher.example', 'ada@xn--bcher-kva.example'),
      ...plain,
      sharing('νικοσ@example.com', 'νικοσ@example.com'),
      sharing('straße@example.com', 'strasse@example.com'),
      sharing('ada@xn--bcher-kva.example', 'ada@xn--bcher-kva.example'),
    ])
    const users = await useCases.listDuplicateUsers({ caller: OPERATOR })
    expect(users.map(({ canonicalEmail, id, email }) => [canonicalEmail, id, email])).to.deep.equal([
      ['ada@xn--bcher-kva.example', 2, 'ada@bücher.example'],
      ['ada@xn--bcher-kva.example', 506, 'ada@xn--bcher-kva.example'],
      ['νικοσ@example.com', 1, 'νικος@example.com'],
      ['νικοσ@example.com', 504, 'νικοσ@example.com'],
    ])
  })
})
