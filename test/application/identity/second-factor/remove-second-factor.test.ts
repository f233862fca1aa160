import { operations, type PartsOf } from '../../../../src/application/index.js'
import { ADA } from '../../../support/logins.js'
import {
  ACTIVE,
  CALLER,
  CLIENT,
  CODE,
  fakedFactorParts,
  PASSWORD as RIGHT,
  type FactorParts,
} from './faked-factor-parts.js'
import { expect } from 'chai'
import { factorHolder } from '../../../support/factor.js'
import { wordsOf } from '../../../support/refusal-of.js'
import { composeUseCases, PASSWORD, presentedBy } from '../../../support/use-cases.js'

describe('removing a second factor', () => {
  it('removes it from the current login as well, which continues', async () => {
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

describe('removing a second factor, with faked parts', () => {
  const remove = (
    change: (parts: FactorParts) => Partial<PartsOf<'removeSecondFactor'>> = () => ({}),
    fields: object = {},
  ) => {
    const { parts, ...kept } = fakedFactorParts(ACTIVE)
    const proveFactor = async (_owner: unknown, code: string) => code === CODE
    const removing = operations.removeSecondFactor.factory({ ...parts, proveFactor, ...change(parts) })
    const removed = removing({ password: RIGHT, code: CODE, presented: { client: CLIENT }, ...fields })
    return { ...kept, removed }
  }
  const entry = { event: 'factor.remove', caller: CALLER, subject: ADA.id, client: CLIENT }

  it('is audited, and the account gets a notice', async () => {
    const { removed, entries, notices } = remove()
    await removed
    expect(entries).to.deep.equal([entry])
    expect(notices).to.deep.equal([['factor', { email: ADA.email, client: CLIENT, about: 'removed' }]])
    await remove(() => ({ notices: undefined })).removed
  })

  it('is refused if another call has removed the factor', async () => {
    const { removed, entries, notices } = remove(({ secondFactors }) => ({
      secondFactors: { ...secondFactors, remove: async () => 'unknown' },
    }))
    expect(await wordsOf(removed)).to.equal('conflict | Conflict: No second factor is active.')
    expect([...entries, ...notices]).to.deep.equal([])
  })
})
