import { expect } from 'chai'
import { createIdentityOfFound, identityOf } from '../../../src/application/identity/identity-of.js'
import type { ActiveSession, Session } from '../../../src/domain/identity/session.js'
import { ACTOR, ADA, ADMIN, AT, EDITOR, SESSION_ID } from '../../support/logins.js'

const SESSION = { id: SESSION_ID, endsAt: AT }
const factorRoles = new Set([ADMIN.key])
const WITH_FACTOR = { ...ADA, secondFactor: true } as const

describe('the identity of a login', () => {
  const { id: accountId, email, epoch } = ADA
  const common = { kind: 'account', accountId, email, epoch, sessionId: SESSION_ID, endsAt: AT }

  it('is the account, with the roles that count', () => {
    const roles = [EDITOR]
    expect(identityOf({ account: WITH_FACTOR, session: SESSION }, factorRoles)).to.deep.equal({
      ...common,
      roles,
    })
    const proven = identityOf({ account: WITH_FACTOR, session: { ...SESSION, factor: true } }, factorRoles)
    expect(proven).to.deep.equal({ ...common, roles: ADA.roles, factor: true })
  })

  it('is who acts as well', () => {
    const session = { ...SESSION, actor: ACTOR }
    expect(identityOf({ account: ADA, session })).to.deep.equal({
      ...common,
      roles: ADA.roles,
      actor: ACTOR,
    })
  })

  it('is one frozen object for what was found frozen, and another each time for what was not', () => {
    const identityOfFound = createIdentityOfFound(factorRoles)
    const found: ActiveSession = { account: ADA, session: SESSION as Session }
    const first = identityOfFound(found)
    expect(identityOfFound(found)).to.deep.equal(first)
    expect(identityOfFound(found) === first).to.equal(false)
    expect(Object.isFrozen(first)).to.equal(false)
    Object.freeze(found)
    const frozen = identityOfFound(found)
    expect(frozen).to.deep.equal(first)
    expect(identityOfFound(found)).to.equal(frozen)
    expect(Object.isFrozen(frozen)).to.equal(true)
  })
})
