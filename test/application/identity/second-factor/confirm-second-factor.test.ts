import { expect } from 'chai'
import type { AccountId } from '../../../../src/domain/identity/account.js'
import { factorHolder } from '../../../support/factor.js'
import { oneTimeCode } from '../../../support/one-time-code.js'
import { refusalOf } from '../../../support/refusal-of.js'
import { composeUseCases, PASSWORD, presentedBy } from '../../../support/use-cases.js'

describe('confirming a second factor', () => {
  it('gives ten recovery codes and a login with it, to the end of the one before', async () => {
    const kennel = await composeUseCases()
    const { id, issued, recoveryCodes } = await factorHolder(kennel, 'ada@example.com')
    expect(new Set(recoveryCodes).size).to.equal(10)
    expect(issued.identity.factor).to.equal(true)
    expect(issued.identity.endsAt).to.equal(issued.endsAt)
    expect(await kennel.useCases.getIdentity(presentedBy(issued))).to.deep.equal(issued.identity)
    const found = await kennel.store.secondFactors.find(id)
    expect([found?.activeSince, found?.recoveryLeft]).to.deep.equal([kennel.clock.now, 10])
  })

  it('gives a login that tells where it was begun', async () => {
    const kennel = await composeUseCases({ mode: 'stateful' })
    const id = (await kennel.account('ada@example.com')) as AccountId
    const presented = {
      ...presentedBy(await kennel.login('ada@example.com')),
      client: { address: '192.0.2.1' },
    }
    const { secret } = await kennel.useCases.setUpSecondFactor({ password: PASSWORD, presented })
    await kennel.useCases.confirmSecondFactor({ code: oneTimeCode(secret, kennel.clock.now), presented })
    const [session] = await kennel.store.sessions.pageOf({ accountId: id, limit: 10, at: kennel.clock.now })
    expect(session?.openedBy).to.deep.equal({ network: '192.0.2.1' })
  })

  it('in plain stateless mode leaves earlier tokens as they are, which say nothing of it', async () => {
    const kennel = await composeUseCases({ mode: 'stateless' })
    await kennel.account('ada@example.com')
    const before = await kennel.login('ada@example.com')
    const holder = await factorHolder(kennel, 'bob@example.com')
    expect((await kennel.useCases.getIdentity(presentedBy(before))).factor).to.equal(undefined)
    expect((await kennel.useCases.getIdentity(presentedBy(holder.issued))).factor).to.equal(true)
  })

  it('refuses where nothing was set up, and where it was confirmed already', async () => {
    const kennel = await composeUseCases()
    await kennel.account('ada@example.com')
    const presented = presentedBy(await kennel.login('ada@example.com'))
    const confirm = (code: unknown) => kennel.useCases.confirmSecondFactor({ code, presented })
    expect((await refusalOf(confirm('123456'))).code).to.equal('conflict')
    expect((await refusalOf(confirm(1))).code).to.equal('malformed')
    await kennel.useCases.setUpSecondFactor({ password: PASSWORD, presented })
    expect((await refusalOf(confirm('12345x'))).code).to.equal('invalid')
    const holder = await factorHolder(kennel, 'bob@example.com')
    const again = { code: holder.code(1), presented: presentedBy(holder.issued) }
    expect((await refusalOf(kennel.useCases.confirmSecondFactor(again))).code).to.equal('conflict')
  })
})
