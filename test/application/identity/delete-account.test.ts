import { operations, type PartsOf } from '../../../src/application/index.js'
import type { Account } from '../../../src/domain/identity/account.js'
import { ADA, AT } from '../../support/logins.js'
import { CALLER, CLIENT, CODE, fakedParts, PASSWORD as RIGHT } from './faked-parts.js'
import { expect } from 'chai'
import { wordsOf } from '../../support/refusal-of.js'

describe("deleting one's own account, with fakes", () => {
  const remove = (
    { account = ADA, fields = {} }: { account?: Account; fields?: object } = {},
    change: Partial<PartsOf<'deleteAccount'>> = {},
  ) => {
    const { parts, entries } = fakedParts()
    const accounts = { find: async () => account, remove: async () => 'removed' } as never
    const removing = operations.deleteAccount.factory({ ...parts, accounts, ...change })
    return { entries, removed: removing({ password: RIGHT, presented: { client: CLIENT }, ...fields }) }
  }
  const failure = {
    event: 'account.delete',
    caller: CALLER,
    subject: ADA.id,
    outcome: 'failure',
    client: CLIENT,
  }
  const WITH_FACTOR: Account = { ...ADA, secondFactor: AT }

  it('is refused if the account has a second factor and the code cannot be verified', async () => {
    for (const change of [{}, { proveFactor: async () => undefined }]) {
      const { entries, removed } = remove({ account: WITH_FACTOR, fields: { code: CODE } }, change)
      expect(await wordsOf(removed)).to.equal('invalid | code NotValid: not-valid')
      expect(entries).to.deep.equal([failure])
    }
  })

  it('is refused if another call has deleted the account', async () => {
    const accounts = { find: async () => ADA, remove: async () => 'unknown' } as never
    expect(await wordsOf(remove({}, { accounts }).removed)).to.match(
      /^invalid-token .*\(the account was removed or disabled, or its epoch has changed\)$/,
    )
  })
})
