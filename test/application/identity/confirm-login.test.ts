import { expect } from 'chai'
import type { Presented } from '../../../src/application/identity/presented.js'
import type { StepUp } from '../../../src/domain/access/step-up.js'
import { factorHolder } from '../../support/factor.js'
import { permitting } from '../../support/permissions.js'
import { codeOf, refused } from '../../support/refusal-of.js'
import { composeUseCases, PASSWORD, presentedBy, type Composed } from '../../support/use-cases.js'

const ADA = 'ada@example.com'
const MINUTE = 60_000

/** Lets a logged-in user export the account if the login meets this condition. */
const withCondition = (condition: StepUp) =>
  permitting({
    everyone: { components: { auth: ['login', 'get-identity', 'refresh', 'logout'], user: ['find'] } },
    user: {
      components: { auth: ['second-factor', 'change-password', 'confirm', { 'export-account': condition }] },
    },
    admin: { components: { auth: ['login-as', 'logout-as'] } },
  })

/**
 * Tries to export the account, which requires the condition. The export checks the condition first, and then refuses the wrong password.
 */
async function outcome({ useCases }: Composed, presented: Presented): Promise<readonly unknown[]> {
  const [code, field] = await refused(useCases.exportAccount({ password: 'wrong', presented }))
  return code === 'fresh-login-required' ? [code, field] : [code]
}

const MET = ['invalid']

describe('confirming a login', () => {
  for (const mode of ['stateful', 'stateless', 'stateless-revocable'] as const) {
    describe(`in ${mode} mode`, () => {
      const start = async (condition: StepUp, lifetimes = { accessToken: 60 * MINUTE }) => {
        const kennel = await composeUseCases({ mode, permissions: withCondition(condition), lifetimes })
        await kennel.account(ADA)
        return { kennel, issued: await kennel.login(ADA) }
      }

      it('is required once the last proof is too old, and then meets the condition of the permission', async () => {
        const { kennel, issued } = await start({ fresh: 10 * MINUTE })
        const presented = presentedBy(issued)
        // Token times are in whole seconds.
        kennel.clock.now += 10 * MINUTE - 1000
        expect(await outcome(kennel, presented)).to.deep.equal(MET)
        kennel.clock.now += 1001
        expect(await outcome(kennel, presented)).to.deep.equal(['fresh-login-required', 'password'])
        const confirmed = await kennel.useCases.confirmLogin({ password: PASSWORD, presented })
        expect(await outcome(kennel, presentedBy(confirmed))).to.deep.equal(MET)
        expect(Math.floor(confirmed.endsAt / 1000)).to.equal(Math.floor(issued.endsAt / 1000))
        if (mode === 'stateful') expect(confirmed.identity.sessionId).to.equal(issued.identity.sessionId)
      })

      it('lasts for the configured time, and a refresh does not extend it', async () => {
        const { kennel, issued } = await start({ fresh: 10 * MINUTE })
        kennel.clock.now += 11 * MINUTE
        const confirmed = await kennel.useCases.confirmLogin({
          password: PASSWORD,
          presented: presentedBy(issued),
        })
        kennel.clock.now += 9 * MINUTE
        const { refreshToken } = confirmed
        const { sessionKey } = presentedBy(confirmed)
        const refreshed = await kennel.useCases.refresh({ refreshToken, presented: { sessionKey } })
        expect(await outcome(kennel, presentedBy(refreshed))).to.deep.equal(MET)
        kennel.clock.now += 2 * MINUTE
        expect(await outcome(kennel, presentedBy(refreshed))).to.deep.equal([
          'fresh-login-required',
          'password',
        ])
      })

      it('proves the second factor with a code', async () => {
        const permissions = withCondition({ factor: 5 * MINUTE })
        const kennel = await composeUseCases({ mode, permissions, lifetimes: { accessToken: 60 * MINUTE } })
        const { issued, code } = await factorHolder(kennel, ADA)
        const presented = presentedBy(issued)
        expect(await outcome(kennel, presented)).to.deep.equal(MET)
        kennel.clock.now += 6 * MINUTE
        expect(await outcome(kennel, presented)).to.deep.equal(['fresh-login-required', 'code'])
        const confirm = (password: string, given?: string) =>
          kennel.useCases.confirmLogin({ password, code: given, presented })
        expect(await refused(confirm('wrong', code()))).to.deep.equal(['invalid', 'password', 'NotValid'])
        expect(await refused(confirm(PASSWORD))).to.deep.equal(['invalid', 'code', 'Required'])
        const { code: another } = await factorHolder(kennel, 'eve@example.com')
        for (const wrong of [code(-9), another(1)])
          expect(await refused(confirm(PASSWORD, wrong))).to.deep.equal(['invalid', 'code', 'NotValid'])
        const confirmed = presentedBy(await confirm(PASSWORD, code()))
        expect(await outcome(kennel, confirmed)).to.deep.equal(MET)
        const spent = kennel.useCases.confirmLogin({ password: PASSWORD, code: code(), presented: confirmed })
        expect(await refused(spent)).to.deep.equal(['invalid', 'code', 'NotValid'])
      })
    })
  }

  it('is forbidden during an impersonation, which can never meet a condition', async () => {
    const kennel = await composeUseCases({ permissions: withCondition({ fresh: 10 * MINUTE }) })
    const userId = await kennel.account(ADA)
    await kennel.account('root@example.com', ['admin'])
    const root = await kennel.login('root@example.com')
    const acting = await kennel.useCases.loginAs({ userId, presented: presentedBy(root) })
    const presented = presentedBy(acting)
    expect(await codeOf(kennel.useCases.confirmLogin({ password: PASSWORD, presented }))).to.equal(
      'forbidden',
    )
    expect(await outcome(kennel, presented)).to.deep.equal(['forbidden'])
    const back = presentedBy(await kennel.useCases.logoutAs({ presented }))
    expect(await outcome(kennel, back)).to.deep.equal(['fresh-login-required', 'password'])
  })

  it('cannot be replaced by a password change if the condition requires the second factor', async () => {
    const kennel = await composeUseCases({ permissions: withCondition({ factor: 5 * MINUTE }) })
    const { issued } = await factorHolder(kennel, ADA)
    kennel.clock.now += 6 * MINUTE
    const changed = await kennel.useCases.changePassword({
      password: PASSWORD,
      newPassword: 'another long password',
      presented: presentedBy(issued),
    })
    expect(await outcome(kennel, presentedBy(changed))).to.deep.equal(['fresh-login-required', 'code'])
  })
})
