import { expect } from 'chai'
import { OPERATOR } from '../../../src/domain/access/caller.js'
import { factorHolder } from '../../support/factor.js'
import { SELF_SERVICE } from '../../support/permissions.js'
import { codeOf, refused } from '../../support/refusal-of.js'
import { composeUseCases, PASSWORD, presentedBy } from '../../support/use-cases.js'

describe("exporting one's own account", () => {
  it('has the same data as the export by an operator', async () => {
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

  it('requires the login, the password and an unused code', async () => {
    const kennel = await composeUseCases({ permissions: SELF_SERVICE })
    const { issued, code } = await factorHolder(kennel, 'ada@example.com')
    const { accessToken, sessionKey } = presentedBy(issued)
    const asked = (password: string, given?: string, presented: object = { accessToken, sessionKey }) =>
      kennel.useCases.exportAccount({ password, code: given, presented })
    for (const part of [{}, ...(sessionKey ? [{ sessionKey }] : [])])
      expect(await codeOf(asked(PASSWORD, code(1), part))).to.be.oneOf(['unauthenticated', 'invalid-token'])
    expect(await refused(asked('wrong', code(1)))).to.deep.equal(['invalid', 'password', 'NotValid'])
    expect(await refused(asked(PASSWORD))).to.deep.equal(['invalid', 'code', 'Required'])
    expect(await refused(asked(PASSWORD, code(0)))).to.deep.equal(['invalid', 'code', 'NotValid'])
    await asked(PASSWORD, code(1))
  })

  it('is forbidden by default', async () => {
    const kennel = await composeUseCases()
    await kennel.account('ada@example.com')
    const issued = await kennel.login('ada@example.com')
    expect(
      await codeOf(kennel.useCases.exportAccount({ password: PASSWORD, presented: presentedBy(issued) })),
    ).to.equal('forbidden')
  })
})

async function rowsOf(pages: AsyncIterable<readonly object[]>): Promise<object[]> {
  const rows: object[] = []
  for await (const page of pages) rows.push(...page)
  return rows
}
