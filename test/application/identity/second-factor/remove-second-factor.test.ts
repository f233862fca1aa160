import { expect } from 'chai'
import { factorHolder } from '../../../support/factor.js'
import { refusalOf } from '../../../support/refusal-of.js'
import { composeUseCases, PASSWORD, presentedBy } from '../../../support/use-cases.js'

describe('removing a second factor', () => {
  it('takes it from the login as well, which goes on', async () => {
    const kennel = await composeUseCases({ mode: 'stateful' })
    const holder = await factorHolder(kennel, 'ada@example.com')
    const presented = presentedBy(holder.issued)
    const status = await kennel.useCases.removeSecondFactor({
      password: PASSWORD,
      code: holder.code(1),
      presented,
    })
    expect(status).to.deep.equal({ active: false, recoveryCodesLeft: 0, required: false })
    expect((await kennel.useCases.getIdentity(presented)).factor).to.equal(undefined)
    expect((await kennel.login('ada@example.com')).identity.accountId).to.equal(holder.id)
  })

  it('looks at the password first, so that a wrong one spends no code', async () => {
    const kennel = await composeUseCases()
    const holder = await factorHolder(kennel, 'ada@example.com')
    const presented = presentedBy(holder.issued)
    const remove = (password: string) =>
      kennel.useCases.removeSecondFactor({ password, code: holder.code(1), presented })
    expect((await refusalOf(remove('wrong'))).messages[0]?.field).to.equal('password')
    expect((await remove(PASSWORD)).active).to.equal(false)
    expect((await refusalOf(remove(PASSWORD))).code).to.equal('conflict')
  })
})
