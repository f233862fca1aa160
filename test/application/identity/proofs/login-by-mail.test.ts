import { expect } from 'chai'
import type { RoleKey } from '../../../../src/domain/access/role.js'
import { factorHolder, STEP } from '../../../support/factor.js'
import { composeProofs, outcomeOf } from '../../../support/mail/composed-proofs.js'
import * as flows from '../../../support/mail/proof-flows.js'

const { ADA, CLIENT, isLoggedIn, issued, NOT_VALID, prepared } = flows
const presented = { client: CLIENT }

describe('a login by email', () => {
  it('works only in the requesting browser; a link that is opened in another browser remains valid', async () => {
    const { confirm, byToken, byCode, ...kennel } = await prepared('login')
    await kennel.audited()
    for (const browserSecret of [undefined, '', byToken.token, 'x'.repeat(43)])
      expect(await confirm({ ...byToken, browserSecret })).to.equal('invalid token other-browser')
    const login = await kennel.useCases.confirmLoginMail({ ...byToken, presented })
    expect(login.identity).to.include({ accountId: 1, email: ADA })
    expect(await isLoggedIn(kennel, login)).to.equal(true)
    expect(await kennel.audited()).to.deep.equal(['login account:1 account:1 success from 192.0.2.1'])
    expect(await confirm(byToken)).to.equal(NOT_VALID)
  })

  it('requires the second factor, gets the roles that need it, and uses up the proof only with a correct factor', async () => {
    for (const form of ['byToken', 'byCode'] as const) {
      const factorRoles = new Set(['admin' as RoleKey])
      const kennel = await composeProofs({ mode: 'stateful', factorRoles })
      const { code, recoveryCodes } = await factorHolder(kennel, ADA, ['admin'])
      const secrets = await issued(kennel, 'login')
      await kennel.audited()
      const confirm = (secondFactor: unknown) =>
        kennel.useCases.confirmLoginMail({ ...secrets[form], secondFactor, presented })
      for (const [secondFactor, outcome] of [
        [undefined, 'second-factor-required'],
        ['', 'second-factor-required'],
        [7, 'malformed secondFactor'],
        ['000000', 'login-failed secondFactor Login Failed'],
      ])
        expect(await outcomeOf(confirm(secondFactor))).to.include(outcome)
      kennel.clock.now += STEP
      const { identity } = await confirm(form === 'byToken' ? code() : recoveryCodes[0])
      expect(identity.roles.map(({ key }) => key)).to.deep.equal(['admin'])
      const logins = (await kennel.audited()).filter((record) => record.startsWith('login'))
      expect(logins).to.deep.equal([
        'login anonymous account:1 failure from 192.0.2.1',
        'login account:1 account:1 success from 192.0.2.1',
      ])
    }
  })

  it('can be requested only with a valid email and not during an impersonation; the login itself ends an impersonation', async () => {
    const { confirm, byToken, ...kennel } = await prepared('login')
    const byActing = { presented: await flows.acting(kennel) }
    for (const [form, outcome] of [
      [byActing, flows.IMPERSONATING],
      [{ presented, email: '' }, 'invalid email required'],
      [{ presented, email: 'ada' }, 'invalid email email-not-valid'],
    ] as const)
      expect(await outcomeOf(kennel.useCases.requestLoginMail({ email: ADA, ...form }))).to.equal(outcome)
    expect(await confirm({ ...byToken, ...byActing })).to.equal('done')
  })
})
