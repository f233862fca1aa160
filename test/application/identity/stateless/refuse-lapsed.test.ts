import { expect } from 'chai'
import { OPERATOR } from '../../../../src/domain/access/caller.js'
import { refusalOf } from '../../../support/refusal-of.js'
import { composeUseCases, type Composed } from '../../../support/use-cases.js'

describe('an impersonation in a token whose permission is gone', () => {
  let kennel: Composed
  let accessToken: string

  beforeEach(async () => {
    kennel = await composeUseCases({ mode: 'stateless-revocable' })
    await kennel.account('boss@example.com', ['admin'])
    await kennel.account('ada@example.com')
    const boss = await kennel.login('boss@example.com')
    const presented = { accessToken: boss.accessToken }
    ;({ accessToken } = await kennel.useCases.loginAs({ userId: 2, presented }))
    await kennel.audited()
  })

  const identity = () => kennel.useCases.getIdentity({ accessToken })
  const codeOf = async (promise: Promise<unknown>) => (await refusalOf(promise)).code

  it('is ended by its next use, on record once', async () => {
    expect((await identity()).email).to.equal('ada@example.com')
    await kennel.useCases.assignRole({
      caller: OPERATOR,
      email: 'boss@example.com',
      role: 'admin',
      remove: true,
    })
    await kennel.audited()
    for (let use = 0; use < 3; use += 1) expect(await codeOf(identity())).to.equal('invalid-token')
    expect(await kennel.audited()).to.deep.equal([
      'impersonation.end account:1 account:2 cause:actor-lost-login-as failure',
    ])
  })

  for (const email of ['boss@example.com', 'ada@example.com']) {
    it(`is refused where ${email} is disabled`, async () => {
      await kennel.useCases.disableUser({ caller: OPERATOR, email })
      expect(await codeOf(identity())).to.equal('invalid-token')
    })
  }

  it('is no matter of a login without an actor', async () => {
    const own = await kennel.login('ada@example.com')
    await kennel.useCases.assignRole({ caller: OPERATOR, email: 'ada@example.com', role: 'admin' })
    expect((await kennel.useCases.getIdentity(own)).email).to.equal('ada@example.com')
  })
})
