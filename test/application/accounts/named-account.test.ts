import { expect } from 'chai'
import { namedAccount } from '../../../src/application/accounts/named-account.js'
import { refused } from '../../support/refusal-of.js'
import { composeUseCases } from '../../support/use-cases.js'

describe('the account that has a given email', () => {
  it('is found by any spelling of the email', async () => {
    const { account, store } = await composeUseCases()
    const id = await account('ada@example.com')
    expect((await namedAccount(store.accounts, 'ADA@Example.COM')).id).to.equal(id)
    expect(await refused(namedAccount(store.accounts, 'bob@example.com'))).to.deep.equal([
      'not-found',
      'email',
      'NotFound',
    ])
    expect(await refused(namedAccount(store.accounts, 'ada'))).to.deep.equal(['invalid', 'email', 'Format'])
  })
})
