import { expect } from 'chai'
import { ownLogin, notValid } from '../../../../src/application/identity/second-factor/own-account.js'
import type { Identity } from '../../../../src/domain/access/caller.js'
import { createAuthorize } from '../../../../src/application/access/authorize.js'
import { anActor } from '../../../../src/contracts/samples.js'
import { refusalOf } from '../../../support/refusal-of.js'
import { composeUseCases } from '../../../support/use-cases.js'

describe('what is of the own account alone', () => {
  it('needs a login of one’s own with the permission', async () => {
    const kennel = await composeUseCases()
    await kennel.account('ada@example.com')
    const { identity } = await kennel.login('ada@example.com')
    const authorize = createAuthorize(kennel.permissions)
    const codeOf = async (who: Identity) =>
      (await refusalOf(Promise.resolve().then(() => ownLogin({ authorize }, who)))).code
    expect(ownLogin({ authorize }, identity).accountId).to.equal(identity.accountId)
    const { sessionId: _, ...basic } = identity
    expect(await codeOf(basic)).to.equal('invalid-token')
    const actor = anActor({ id: 2, email: 'bob@example.com', epoch: 1 } as never)
    expect(await codeOf({ ...identity, actor })).to.equal('forbidden')
  })

  it('tells of a wrong password or code in one way', () => {
    for (const field of ['password', 'code'] as const)
      expect(notValid(field).messages).to.deep.equal([{ field, type: 'NotValid', message: 'not-valid' }])
  })
})
