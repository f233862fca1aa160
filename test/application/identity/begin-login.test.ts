import { expect } from 'chai'
import type { Email } from '../../../src/domain/identity/email.js'
import { ACTOR, AT } from '../../support/logins.js'
import { composeUseCases, presentedBy } from '../../support/use-cases.js'

const email = 'ada@example.com'

describe('a new login', () => {
  for (const mode of ['stateful', 'stateless', 'stateless-revocable'] as const) {
    it(`leaves other logins active, and lasts for the configured time: ${mode}`, async () => {
      const kennel = await composeUseCases({ mode })
      await kennel.account(email)
      const account = await kennel.store.accounts.findByEmail(email as Email)
      if (!account) expect.fail('the account is not there')
      const before = await kennel.login(email)
      const endsAt = Math.floor(kennel.clock.now / 1_000) * 1_000 + 60_000
      const [short, ordinary] = [
        await kennel.useCases.beginLogin(account, { endsAt }),
        await kennel.useCases.beginLogin(account, {}),
      ]
      expect(short.endsAt).to.equal(endsAt)
      expect(ordinary.endsAt).to.equal(kennel.clock.now + 2_592_000_000)
      const logins = [before, short, ordinary]
      for (const one of logins)
        expect((await kennel.useCases.getIdentity(presentedBy(one))).accountId).to.equal(account.id)
      expect(new Set(logins.map(({ identity }) => identity.sessionId)).size).to.equal(3)
      expect(logins.map(({ sessionKey }) => sessionKey !== undefined)).to.deep.equal(
        logins.map(() => mode === 'stateful'),
      )
    })
  }

  it('has the verified second factor of the impersonating actor', async () => {
    const kennel = await composeUseCases({ mode: 'stateful' })
    await kennel.account(email)
    const account = await kennel.store.accounts.findByEmail(email as Email)
    if (!account) expect.fail('the account is not there')
    const { identity } = await kennel.useCases.beginLogin(account, { actor: ACTOR, factor: AT })
    expect(identity).to.deep.include({ actor: ACTOR, factor: true, factorSince: AT })
  })
})
