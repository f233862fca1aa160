import { expect } from 'chai'
import type { RoleKey } from '../../../../src/domain/access/role.js'
import { factorHolder, STEP } from '../../../support/factor.js'
import { composeProofs, outcomeOf } from '../../../support/mail/composed-proofs.js'
import * as flows from '../../../support/mail/proof-flows.js'
import { composeUseCases } from '../../../support/use-cases.js'

const { acting, ADA, CLIENT, confirmed, IMPERSONATING, isLoggedIn, issued, NOT_VALID, prepared } = flows
const presented = { client: CLIENT }

describe('a login by email', () => {
  it('logs in only in the browser that asked; a link that is opened in another browser remains valid', async () => {
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

  it('needs the second factor, gives its roles, and keeps the proof until the factor is right', async () => {
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
        ['000000', 'login-failed code Login Failed'],
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

  it('counts the codes of the second factor', async () => {
    const kennel = await composeProofs({ mode: 'stateful' })
    const { code } = await factorHolder(kennel, ADA)
    const { byToken } = await issued(kennel, 'login')
    const confirm = (secondFactor: string) => confirmed(kennel, 'login', { ...byToken, secondFactor })
    for (let n = 0; n < 5; n += 1) expect(await confirm('000000')).to.include('login-failed')
    kennel.clock.now += STEP
    expect(await confirm(code())).to.include('too-many-attempts')
  })

  it('and its request are refused with the documented codes', async () => {
    const { confirm, byToken, ...kennel } = await prepared('login')
    const { useCases } = await composeUseCases({ store: kennel.store })
    const acted = { presented: await acting(kennel) }
    const ask = (form: object, by = kennel.useCases) =>
      outcomeOf(by.requestLoginMail({ email: ADA, presented, ...form }))
    for (const [outcome, expected] of [
      [await ask({ presented: { accessToken: 'none' } }), 'invalid-token'],
      [await ask({}, useCases), 'unauthenticated'],
      [await ask(acted), IMPERSONATING],
      [await ask({ email: 7 }), 'malformed email'],
      [await ask({ email: '' }), 'invalid email required'],
      [await ask({ email: 'ada' }), 'invalid email email-not-valid'],
      [await confirm({ ...byToken, presented: { accessToken: 'none' } }), 'invalid-token'],
      [await confirmed({ ...kennel, useCases }, 'login', byToken), 'unauthenticated'],
      // Like a login with a password, a login by email replaces an impersonation.
      [await confirm({ ...byToken, ...acted }), 'done'],
    ])
      expect(outcome).to.include(expected)
  })
})
