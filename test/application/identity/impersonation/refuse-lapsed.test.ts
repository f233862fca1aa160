import type { AuditTrail } from '../../../../src/application/audit/audit-trail.js'
import { createRefuseLapsedSession } from '../../../../src/application/identity/impersonation/refuse-lapsed.js'
import type { Permissions } from '../../../../src/domain/access/permissions.js'
import type { Session } from '../../../../src/domain/identity/session.js'
import type { Sessions } from '../../../../src/ports/sessions.js'
import { ACTOR, ADA, AT, SESSION_ID } from '../../../support/logins.js'
import { expect } from 'chai'
import { RESETS_PERMITTED } from '../../../support/http/resetting.js'
import type { Issued } from '../../../../src/application/identity/issue.js'
import { OPERATOR, type Identity } from '../../../../src/domain/access/caller.js'
import { refusalOf, wordsOf } from '../../../support/refusal-of.js'
import { composeUseCases, PASSWORD, presentedBy, type Composed } from '../../../support/use-cases.js'

describe('an impersonation whose permission is gone', () => {
  let kennel: Composed
  let acting: Issued

  beforeEach(async () => {
    kennel = await composeUseCases()
    await kennel.account('boss@example.com', ['admin'])
    await kennel.account('ada@example.com')
    const presented = presentedBy(await kennel.login('boss@example.com'))
    acting = await kennel.useCases.loginAs({ userId: 2, presented })
    await kennel.audited()
  })

  const identity = () => kennel.useCases.getIdentity(presentedBy(acting))
  const lapses = {
    'actor-lost-login-as': { email: 'boss@example.com', remove: true },
    'target-gained-login-as': { email: 'ada@example.com', remove: false },
  }
  for (const [cause, change] of Object.entries(lapses)) {
    it(`is ended by its next use, and audited once: ${cause}`, async () => {
      expect((await identity()).email).to.equal('ada@example.com')
      await kennel.useCases.assignRole({ caller: OPERATOR, role: 'admin', ...change })
      await kennel.audited()
      const uses = await Promise.allSettled([identity(), identity(), identity()])
      expect(uses.map(({ status }) => status)).to.deep.equal(['rejected', 'rejected', 'rejected'])
      expect((await refusalOf(identity())).code).to.equal('invalid-token')
      expect(await kennel.audited()).to.deep.equal([
        `impersonation.end account:1 account:2 cause:${cause} failure`,
      ])
    })
  }
})

/** Everything that an impersonation can be used for, except logout, which ends it anyway. */
const USES: Readonly<Record<string, (kennel: Composed, acting: Issued) => Promise<unknown>>> = {
  getIdentity: ({ useCases }, acting) => useCases.getIdentity(presentedBy(acting)),
  refresh: ({ useCases }, acting) =>
    useCases.refresh({ refreshToken: acting.refreshToken, presented: presentedBy(acting) }),
  loginAs: ({ useCases }, acting) => useCases.loginAs({ userId: 1, presented: presentedBy(acting) }),
  logoutAs: ({ useCases }, acting) => useCases.logoutAs({ presented: presentedBy(acting) }),
  changePassword: ({ useCases }, acting) =>
    useCases.changePassword({
      password: PASSWORD,
      newPassword: `${PASSWORD} again`,
      presented: presentedBy(acting),
    }),
  requestPasswordReset: ({ useCases }, acting) =>
    useCases.requestPasswordReset({ email: 'ada@example.com', presented: presentedBy(acting) }),
}

for (const mode of ['stateful', 'stateless-revocable'] as const) {
  describe(`the end of an impersonation whose permission is gone, ${mode}`, () => {
    // Without a session a reset does not look at the roles: the token alone says who acts.
    const uses = Object.entries(USES).filter(([use]) => mode === 'stateful' || use !== 'requestPasswordReset')
    for (const [use, call] of uses)
      it(`comes with the next ${use}, and lasts if the permission comes back`, async () => {
        const kennel = await composeUseCases({ mode, permissions: RESETS_PERMITTED })
        await kennel.account('boss@example.com', ['admin'])
        await kennel.account('ada@example.com')
        const presented = presentedBy(await kennel.login('boss@example.com'))
        const acting = await kennel.useCases.loginAs({ userId: 2, presented })
        const role = { caller: OPERATOR, role: 'admin', email: 'boss@example.com' }
        await kennel.useCases.assignRole({ ...role, remove: true })
        await kennel.audited()
        expect((await refusalOf(call(kennel, acting))).code).to.equal('invalid-token')
        expect(await kennel.audited()).to.deep.equal([
          'impersonation.end account:1 account:2 cause:actor-lost-login-as failure',
        ])
        await kennel.useCases.assignRole(role)
        expect((await refusalOf(USES['getIdentity']!(kennel, acting))).code).to.equal('invalid-token')
      })
  })
}

describe('an impersonation whose actor has no roles', () => {
  it('has lost its permission', async () => {
    const judged: Identity[] = []
    const permissions = { allows: (one: Identity) => judged.push(one) < 0 } as unknown as Permissions
    const refuseLapsed = createRefuseLapsedSession({
      permissions,
      sessions: { end: async () => 'unknown' } as unknown as Sessions,
      audit: { record: () => expect.fail() } as unknown as AuditTrail,
    })
    const session = { id: SESSION_ID, endsAt: AT, actor: ACTOR } as Session
    expect(await wordsOf(refuseLapsed({ session, account: ADA }, undefined))).to.match(
      /^invalid-token .*\(the impersonation was ended: actor-lost-login-as\)$/,
    )
    expect(judged.map(({ roles }) => roles)).to.deep.equal([[]])
  })
})
