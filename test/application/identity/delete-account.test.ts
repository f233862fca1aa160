import { operations, type PartsOf } from '../../../src/application/index.js'
import type { Account } from '../../../src/domain/identity/account.js'
import { ADA, AT } from '../../support/logins.js'
import { CALLER, CLIENT, CODE, fakedParts, PASSWORD as RIGHT } from './faked-parts.js'
import { expect } from 'chai'
import { factorHolder } from '../../support/factor.js'
import { SELF_SERVICE } from '../../support/permissions.js'
import { refused, wordsOf } from '../../support/refusal-of.js'
import { composeUseCases, PASSWORD, presentedBy } from '../../support/use-cases.js'

describe("deleting one's own account with a second factor", () => {
  it('requires the password and an unused code', async () => {
    const kennel = await composeUseCases({ permissions: SELF_SERVICE })
    const { id, issued, code } = await factorHolder(kennel, 'ada@example.com')
    const presented = presentedBy(issued)
    const remove = (password: unknown, given?: unknown) =>
      kennel.useCases.deleteAccount({ password, code: given, presented })
    expect(await refused(remove('wrong', code(1)))).to.deep.equal(['invalid', 'password', 'NotValid'])
    for (const none of [undefined, ''])
      expect(await refused(remove(PASSWORD, none))).to.deep.equal(['invalid', 'code', 'Required'])
    for (const bad of ['000000', 'no code', code(0)])
      expect(await refused(remove(PASSWORD, bad)), bad).to.deep.equal(['invalid', 'code', 'NotValid'])
    expect((await kennel.store.accounts.find(id))?.secondFactor).to.be.a('number')
    await remove(PASSWORD, code(1))
    expect(await kennel.store.accounts.find(id)).to.equal(undefined)
    expect(await kennel.store.secondFactors.find(id)).to.equal(undefined)
  })
})

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
