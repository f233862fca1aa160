import { expect } from 'chai'
import type { AccountId } from '../../../../src/domain/identity/account.js'
import { refusalOf } from '../../../support/refusal-of.js'
import { composeUseCases, PASSWORD, presentedBy } from '../../../support/use-cases.js'

describe('setting up a second factor', () => {
  it('keeps a sealed secret of which each call shows another', async () => {
    const kennel = await composeUseCases()
    const id = (await kennel.account('ada@example.com')) as AccountId
    const presented = presentedBy(await kennel.login('ada@example.com'))
    const setUp = () => kennel.useCases.setUpSecondFactor({ password: PASSWORD, presented })
    const [first, second] = [await setUp(), await setUp()]
    expect(first.secret).not.to.equal(second.secret)
    const { sealedSecret } = (await kennel.store.secondFactors.find(id)) ?? expect.fail('nothing is kept')
    expect(sealedSecret).not.to.include(second.secret)
    const opened = await kennel.credentials.secretSeal.open(sealedSecret, id)
    expect(opened).to.deep.equal({ secret: second.secret, isCurrent: true })
  })

  it('refuses in the order of its promise', async () => {
    const kennel = await composeUseCases()
    await kennel.account('ada@example.com')
    const presented = presentedBy(await kennel.login('ada@example.com'))
    const codeOf = async (password: unknown, credentials = presented) =>
      (await refusalOf(kennel.useCases.setUpSecondFactor({ password, presented: credentials }))).code
    for (const password of [PASSWORD, 1]) expect(await codeOf(password, {})).to.equal('unauthenticated')
    expect(await codeOf(1)).to.equal('malformed')
    expect(await codeOf('')).to.equal('invalid')
    expect(await codeOf('wrong')).to.equal('invalid')
  })
})
