import { expect } from 'chai'
import { OPERATOR } from '../../../src/domain/access/caller.js'
import { factorHolder } from '../../support/factor.js'
import { SELF_SERVICE } from '../../support/permissions.js'
import { composeUseCases, PASSWORD, presentedBy } from '../../support/use-cases.js'

describe("exporting one's own account", () => {
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
