import { expect } from 'chai'
import type { Issued } from '../../../../src/application/identity/issue.js'
import { OPERATOR } from '../../../../src/domain/access/caller.js'
import { refusalOf } from '../../../support/refusal-of.js'
import { composeUseCases, presentedBy, type Composed } from '../../../support/use-cases.js'

describe('logout as', () => {
  let kennel: Composed
  let boss: Issued
  let acting: Issued

  beforeEach(async () => {
    kennel = await composeUseCases()
    await kennel.account('boss@example.com', ['admin'])
    await kennel.account('ada@example.com')
    boss = await kennel.login('boss@example.com')
    acting = await kennel.useCases.loginAs({ userId: 2, presented: presentedBy(boss) })
    await kennel.audited()
  })

  const logoutAs = (by = acting) => kennel.useCases.logoutAs({ presented: presentedBy(by) })
  const identity = (issued: Issued) => kennel.useCases.getIdentity(presentedBy(issued))
  const codeOf = async (promise: Promise<unknown>) => (await refusalOf(promise)).code

  it('gives the one who acts a login of their own, to the end that theirs had', async () => {
    const again = await logoutAs()
    expect(await identity(again))
      .to.include({ email: 'boss@example.com' })
      .and.not.have.property('actor')
    expect(again.endsAt).to.equal(boss.endsAt)
    expect(await codeOf(identity(acting))).to.equal('invalid-token')
    expect(await kennel.audited()).to.deep.equal(['impersonation.end account:1 account:2 success'])
  })

  it('is refused to one who does not act, and with credentials that are none', async () => {
    expect(await codeOf(logoutAs(await kennel.login('boss@example.com')))).to.equal('forbidden')
    expect(await codeOf(kennel.useCases.logoutAs({ presented: {} }))).to.equal('unauthenticated')
  })

  it('is refused where the account of the one who acts has changed', async () => {
    await kennel.useCases.disableUser({ caller: OPERATOR, email: 'boss@example.com' })
    expect(await codeOf(logoutAs())).to.equal('invalid-token')
  })
})
