import { expect } from 'chai'
import { OPERATOR } from '../../../src/domain/access/caller.js'
import { codeOf } from '../../support/refusal-of.js'
import { type Composed, composeUseCases, PASSWORD, presentedBy } from '../../support/use-cases.js'

describe('disabling and enabling a user', () => {
  const input = { caller: OPERATOR, email: 'ADA@example.com' }
  let kennel: Composed

  beforeEach(async () => {
    kennel = await composeUseCases()
    await kennel.account('ada@example.com')
  })

  const login = () => kennel.useCases.login({ email: 'ada@example.com', password: PASSWORD, presented: {} })

  it('ends all sessions permanently, and rejects logins until the account is enabled', async () => {
    const issued = await login()
    const presented = presentedBy(issued)
    const expectEnded = async () => {
      const refresh = kennel.useCases.refresh({ refreshToken: issued.refreshToken, presented })
      expect(await codeOf(kennel.useCases.getIdentity(presented))).to.equal('invalid-token')
      expect(await codeOf(refresh)).to.equal('invalid-token')
    }
    await kennel.useCases.disableUser(input)
    await expectEnded()
    expect(await codeOf(login())).to.equal('login-failed')
    await kennel.useCases.enableUser(input)
    await expectEnded()
    expect((await login()).identity.email).to.equal('ada@example.com')
  })
})
