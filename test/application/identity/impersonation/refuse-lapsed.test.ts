import type { AuditTrail } from '../../../../src/application/audit/audit-trail.js'
import { createRefuseLapsedSession } from '../../../../src/application/identity/impersonation/refuse-lapsed.js'
import type { Permissions } from '../../../../src/domain/access/permissions.js'
import type { Session } from '../../../../src/domain/identity/session.js'
import type { Sessions } from '../../../../src/ports/sessions.js'
import { ACTOR, ADA, AT, SESSION_ID } from '../../../support/logins.js'
import { expect } from 'chai'
import type { Issued } from '../../../../src/application/identity/issue.js'
import { OPERATOR, type Identity } from '../../../../src/domain/access/caller.js'
import { refusalOf, wordsOf } from '../../../support/refusal-of.js'
import { composeUseCases, presentedBy, type Composed } from '../../../support/use-cases.js'

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
    it(`is ended by its next use, on record once: ${cause}`, async () => {
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
