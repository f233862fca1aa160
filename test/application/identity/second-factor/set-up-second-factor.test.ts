import { operations } from '../../../../src/application/index.js'
import type { SecondFactors } from '../../../../src/ports/second-factors.js'
import { fakedParts, PASSWORD as RIGHT } from '../faked-parts.js'
import { expect } from 'chai'
import type { AccountId } from '../../../../src/domain/identity/account.js'
import { wordsOf } from '../../../support/refusal-of.js'
import { composeUseCases, PASSWORD, presentedBy } from '../../../support/use-cases.js'

describe('setting up a second factor', () => {
  it('returns a new secret for each call, and stores the latest secret in sealed form', async () => {
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
})

describe('setting up a second factor, with fakes', () => {
  const setUp = (begun: Awaited<ReturnType<SecondFactors['begin']>> = 'begun') => {
    const { parts } = fakedParts()
    const secondFactors = { ...parts.secondFactors, begin: async () => begun }
    const settingUp = operations.setUpSecondFactor.factory({ ...parts, secondFactors })
    return settingUp({ password: RIGHT, presented: {} })
  }

  it('is rejected if a factor is active or the account was deleted', async () => {
    expect(await setUp()).to.deep.equal({ secret: 'SECRET', uri: 'uri', qrCode: 'qr' })
    expect(await wordsOf(setUp('active'))).to.equal(
      'conflict | Conflict: A second factor is active: remove it first.',
    )
    expect(await wordsOf(setUp('unknown-account'))).to.match(
      /^invalid-token .*\(the account no longer exists\)$/,
    )
  })
})
