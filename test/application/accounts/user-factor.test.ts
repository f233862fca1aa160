import { expect } from 'chai'
import { OPERATOR } from '../../../src/domain/access/caller.js'
import { factorHolder } from '../../support/factor.js'
import { refusalOf } from '../../support/refusal-of.js'
import { composeUseCases } from '../../support/use-cases.js'

describe('the second factor of another account', () => {
  it('is shown to an operator, and removed once, which is audited', async () => {
    const kennel = await composeUseCases()
    const { id, email } = await factorHolder(kennel, 'ada@example.com')
    await kennel.audited()
    const asked = { caller: OPERATOR, email: 'ADA@example.com' }
    expect((await kennel.useCases.readUserFactor(asked)).active).to.equal(true)
    expect(await kennel.useCases.removeUserFactor(asked)).to.equal('removed')
    expect(await kennel.useCases.removeUserFactor(asked)).to.equal('unchanged')
    expect(await kennel.audited()).to.deep.equal([`factor.remove cli:tester account:${id} success`])
    expect((await kennel.login(email)).identity.factor).to.equal(undefined)
  })

  it('is no other account’s business', async () => {
    const kennel = await composeUseCases()
    await kennel.account('ada@example.com')
    const caller = await kennel.caller('ada@example.com')
    for (const useCase of [kennel.useCases.readUserFactor, kennel.useCases.removeUserFactor]) {
      const asked: Promise<unknown> = useCase({ caller, email: 'ada@example.com' })
      expect((await refusalOf(asked)).code).to.equal('forbidden')
    }
  })
})
