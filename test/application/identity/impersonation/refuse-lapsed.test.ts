import { createRefuseLapsedSession } from '../../../../src/application/identity/impersonation/refuse-lapsed.js'
import type { Session } from '../../../../src/domain/identity/session.js'
import { ACTOR, ADA, AT, SESSION_ID } from '../../../support/logins.js'
import { expect } from 'chai'
import { RESETS_PERMITTED } from '../../../support/http/resetting.js'
import type { Issued } from '../../../../src/application/identity/issue.js'
import { OPERATOR, type Identity } from '../../../../src/domain/access/caller.js'
import { codeOf, wordsOf } from '../../../support/refusal-of.js'
import { composeUseCases, PASSWORD, presentedBy, type Composed } from '../../../support/use-cases.js'

/** All uses of an impersonation, except logout, which ends the impersonation anyway. */
const USES: Readonly<Record<string, (kennel: Composed, acting: Issued) => Promise<unknown>>> = {
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
  identifyPage: ({ useCases }, acting) =>
    useCases.identifyPage({ method: 'GET', sessionKey: acting.sessionKey }),
}
/**
 * Operations that are tested only with sessions: in stateless mode, a reset trusts the token without checking the
 * roles, and pages are not
 * supported.
 */
const WITH_SESSIONS = ['requestPasswordReset', 'identifyPage']

const BOSS = 'boss@example.com'
const LAPSES = {
  'actor-lost-login-as': { email: BOSS, remove: true },
  'target-gained-login-as': { email: 'ada@example.com', remove: false },
}

for (const mode of ['stateful', 'stateless-revocable'] as const) {
  describe(`an impersonation that is no longer permitted, ${mode}`, () => {
    let kennel: Composed
    let acting: Issued
    const assign = async (change: { email: string; remove?: boolean }) => {
      await kennel.useCases.assignRole({ caller: OPERATOR, role: 'admin', ...change })
      await kennel.audited()
    }

    beforeEach(async () => {
      kennel = await composeUseCases({ mode, permissions: RESETS_PERMITTED })
      await kennel.account(BOSS, ['admin'])
      await kennel.account('ada@example.com')
      const presented = presentedBy(await kennel.login(BOSS))
      acting = await kennel.useCases.loginAs({ userId: 2, presented })
    })

    for (const [cause, change] of Object.entries(LAPSES))
      it(`ends at the next request, with one audit record: ${cause}`, async () => {
        const identity = () => kennel.useCases.getIdentity(presentedBy(acting))
        expect((await identity()).email).to.equal('ada@example.com')
        await assign(change)
        const codes = await Promise.all([identity(), identity(), identity()].map(codeOf))
        expect(codes).to.deep.equal(['invalid-token', 'invalid-token', 'invalid-token'])
        expect(await kennel.audited()).to.deep.equal([
          `impersonation.end account:1 account:2 cause:${cause} failure`,
        ])
      })

    const uses = Object.entries(USES).filter(([use]) => mode === 'stateful' || !WITH_SESSIONS.includes(use))
    for (const [use, call] of uses)
      it(`ends at the next call to ${use}, even if the permission has been restored`, async () => {
        await assign({ email: BOSS, remove: true })
        expect(await codeOf(call(kennel, acting))).to.equal('invalid-token')
        expect(await kennel.audited()).to.deep.equal([
          'impersonation.end account:1 account:2 cause:actor-lost-login-as failure',
        ])
        await assign({ email: BOSS })
        expect(await codeOf(kennel.useCases.getIdentity(presentedBy(acting)))).to.equal('invalid-token')
      })
  })
}

describe('an impersonation whose actor has no roles', () => {
  it('is no longer permitted', async () => {
    const judged: Identity[] = []
    const permissions = { allows: (one: Identity) => judged.push(one) < 0 } as never
    const refuseLapsed = createRefuseLapsedSession({
      permissions,
      sessions: { end: async () => 'unknown' } as never,
      audit: { record: () => expect.fail() } as never,
    })
    const session = { id: SESSION_ID, endsAt: AT, actor: ACTOR } as Session
    expect(await wordsOf(refuseLapsed({ session, account: ADA }, undefined))).to.match(
      /^invalid-token .*\(the impersonation was ended: actor-lost-login-as\)$/,
    )
    expect(judged.map(({ roles }) => roles)).to.deep.equal([[]])
  })
})
