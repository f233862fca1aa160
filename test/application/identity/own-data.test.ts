import { expect } from 'chai'
import { OPERATOR } from '../../../src/domain/access/caller.js'
import type { Account } from '../../../src/domain/identity/account.js'
import { operations, type PartsOf } from '../../../src/application/index.js'
import { factorHolder } from '../../support/factor.js'
import { ADA, AT } from '../../support/logins.js'
import { SELF_SERVICE } from '../../support/permissions.js'
import { wordsOf } from '../../support/refusal-of.js'
import { composeUseCases, PASSWORD, presentedBy } from '../../support/use-cases.js'
import { CALLER, CLIENT, CODE, fakedParts, PASSWORD as RIGHT } from './faked-parts.js'

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

describe("the export of one's own account", () => {
  it("contains the same data as an operator's export", async () => {
    const kennel = await composeUseCases({ permissions: SELF_SERVICE })
    const { email, issued, code } = await factorHolder(kennel, 'ada@example.com')
    const own = await kennel.useCases.exportAccount({
      password: PASSWORD,
      code: code(1),
      presented: presentedBy(issued),
    })
    const all = await kennel.useCases.exportUser({ caller: OPERATOR, email })
    expect(Object.keys(own)).to.deep.equal(Object.keys(all))
    for (const name of ['account', 'secondFactor', 'resetTokens', 'proofs', 'mails'] as const)
      expect(own[name], name).to.deep.equal(all[name])
    for (const name of ['sessions', 'apiKeys', 'projects'] as const)
      expect(await rowsOf(own[name]), name).to.deep.equal(await rowsOf(all[name]))
    expect(own.secondFactor?.recoveryCodesLeft).to.equal(10)
    expect(JSON.stringify(own)).to.not.match(/hash|digest|secret"|epoch/i)
  })
})

async function rowsOf(pages: AsyncIterable<readonly object[]>): Promise<object[]> {
  const rows: object[] = []
  for await (const page of pages) rows.push(...page)
  return rows
}
