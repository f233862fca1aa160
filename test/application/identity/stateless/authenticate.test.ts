import { expect } from 'chai'
import { OPERATOR } from '../../../../src/domain/access/caller.js'
import type { Refusal } from '../../../../src/domain/refusal.js'
import { codeOf } from '../../../support/refusal-of.js'
import { composeUseCases, type Composed } from '../../../support/use-cases.js'

const email = 'ada@example.com'

for (const mode of ['stateless', 'stateless-revocable'] as const) {
  describe(`authenticate in ${mode} mode`, () => {
    let kennel: Composed
    let accessToken: string

    beforeEach(async () => {
      kennel = await composeUseCases({ mode })
      await kennel.account(email, ['editor'])
      ;({ accessToken } = await kennel.login(email))
    })

    const identity = (token: string | undefined = accessToken) =>
      kennel.useCases.getIdentity({ accessToken: token })

    it('returns the account with the roles in the token, and ignores any cookie', async () => {
      await kennel.useCases.assignRole({ caller: OPERATOR, email, role: 'editor', remove: true })
      const { roles } = await kennel.useCases.getIdentity({ accessToken, sessionKey: 'any' })
      expect(roles.map(({ key }) => key)).to.deep.equal(['editor'])
    })

    it('rejects invalid tokens, and rejects a missing token as unauthenticated', async () => {
      expect(await codeOf(identity('no token'))).to.equal('invalid-token')
      expect(await codeOf(kennel.useCases.getIdentity({}))).to.equal('unauthenticated')
      kennel.clock.now += 3_600_000
      expect(await codeOf(identity())).to.equal('invalid-token')
    })

    it(`${mode === 'stateless' ? 'does not know' : 'knows'} that the login has ended`, async () => {
      await kennel.useCases.logout({ accessToken })
      const outcome = await identity().then(
        () => 'fine',
        (error: unknown) => (error as Refusal).detail,
      )
      expect(outcome).to.equal(mode === 'stateless' ? 'fine' : 'the login was revoked')
    })
  })
}
