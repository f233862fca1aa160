import { operations } from '../../../../src/application/index.js'
import { ACTIVE, CODE, fakedParts, PASSWORD as RIGHT } from '../faked-parts.js'
import { expect } from 'chai'
import { factorHolder } from '../../../support/factor.js'
import { wordsOf } from '../../../support/refusal-of.js'
import { composeUseCases, PASSWORD, presentedBy } from '../../../support/use-cases.js'

describe('removing a second factor', () => {
  it('also removes the factor from the current login, which stays valid', async () => {
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
})

describe('removing a second factor, with fakes', () => {
  it('is refused if another call has already removed the factor', async () => {
    const { parts, entries, notices } = fakedParts(ACTIVE)
    const removing = operations.removeSecondFactor.factory({
      ...parts,
      secondFactors: { ...parts.secondFactors, remove: async () => 'unknown' },
      proveFactor: async () => 1,
    })
    const removed = removing({ password: RIGHT, code: CODE, presented: {} })
    expect(await wordsOf(removed)).to.equal('conflict | Conflict: No second factor is active.')
    expect([...entries, ...notices]).to.deep.equal([])
  })
})
