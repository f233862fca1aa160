import { expect } from 'chai'
import { aNewAccount, emailOf } from '../../src/contracts/samples.js'
import type { Account, AccountId, Epoch } from '../../src/domain/identity/account.js'
import { workplaceOfTests } from './app.js'
import { onStoreOf } from './workplace-store.js'

describe('app user duplicates', () => {
  const place = workplaceOfTests({ shared: true })

  const duplicates = async () => {
    const { code, stdout } = await place.app(['user', 'duplicates'])
    return [code, JSON.parse(stdout)] as const
  }

  it('lists the accounts that share a canonical email, and prints an empty list otherwise', async () => {
    await place.app(['role', 'create', 'editor', 'Editor'])
    expect(await duplicates()).to.deep.equal([0, []])
    const account = (id: number, name: string) =>
      ({
        ...{ ...aNewAccount(name), id: id as AccountId, epoch: 1 as Epoch, createdAt: 0 },
        sharedEmail: emailOf('canonical'),
      }) satisfies Omit<Account, 'roles'>
    await onStoreOf(place, async ({ copyableRecords: records }) => {
      await records?.put(
        'account',
        [account(7, 'canonical'), account(8, 'former')].map((one) => ({ ...one, roles: [] })),
      )
    })
    const row = {
      canonicalEmail: 'canonical@example.org',
      roles: [],
      createdAt: '1970-01-01T00:00:00.000Z',
      disabledAt: null,
    }
    expect(await duplicates()).to.deep.equal([
      0,
      [
        { ...row, id: 7, email: 'canonical@example.org' },
        { ...row, id: 8, email: 'former@example.org' },
      ],
    ])
  })
})
