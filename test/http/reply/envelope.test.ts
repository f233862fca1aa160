import { expect } from 'chai'
import type { Identity } from '../../../src/domain/access/caller.js'
import { identityView } from '../../../src/http/reply/envelope.js'
import { ACTOR, ADA, EDITOR, SESSION_ID } from '../../support/logins.js'

const IDENTITY: Identity = {
  kind: 'account',
  accountId: ADA.id,
  email: ADA.email,
  roles: [EDITOR],
  sessionId: SESSION_ID,
}

describe('the view of an identity', () => {
  it('contains the account and its roles, keyed by role', () => {
    expect(identityView(IDENTITY)).to.deep.include({
      ...{ loggedIn: true, loggedInAs: false, userAs: null },
      user: { id: ADA.id, email: ADA.email },
      roleList: { editor: EDITOR },
    })
  })

  it('also contains the actor during an impersonation', () => {
    expect(identityView({ ...IDENTITY, actor: ACTOR })).to.deep.include({
      loggedInAs: true,
      user: { id: ADA.id, email: ADA.email },
      userAs: { id: ACTOR.accountId, email: ACTOR.email },
    })
  })
})
