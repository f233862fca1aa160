import { expect } from 'chai'
import {
  createIdentityOfFound,
  identityOf,
  validFactor,
} from '../../../src/application/identity/identity-of.js'
import type { PasswordHash } from '../../../src/domain/identity/password.js'
import type { ActiveSession, Session } from '../../../src/domain/identity/session.js'
import { ACTOR, ADA, ADMIN, AT, EDITOR, SESSION_ID } from '../../support/logins.js'

const SESSION = { id: SESSION_ID, endsAt: AT }
const factorRoles = new Set([ADMIN.key])
const LACKING = ['hasPassword', 'hasFactor']
const WITH_FACTOR = { ...ADA, secondFactor: AT }

describe('the identity of a login', () => {
  const { id: accountId, email, epoch } = ADA
  const common = { kind: 'account', accountId, email, epoch, sessionId: SESSION_ID, endsAt: AT }

  it('contains the account with the effective roles', () => {
    const roles = [EDITOR]
    expect(identityOf({ account: WITH_FACTOR, session: SESSION }, factorRoles)).to.deep.equal({
      ...common,
      roles,
    })
    const session = { ...SESSION, factor: AT }
    expect(identityOf({ account: WITH_FACTOR, session }, factorRoles)).to.deep.equal({
      ...common,
      roles: ADA.roles,
      factor: true,
      factorSince: AT,
    })
  })

  it('shows which proofs the account lacks only if it also shows the time of the last proof', () => {
    const session = { ...SESSION, createdAt: AT } as Session
    const complete = { ...WITH_FACTOR, passwordHash: 'hash' as PasswordHash }
    const shown = createIdentityOfFound({ showsProof: true })
    expect(createIdentityOfFound({})({ account: ADA, session })).to.not.have.any.keys(...LACKING)
    expect(shown({ account: ADA, session })).to.include({ hasPassword: false, hasFactor: false })
    expect(shown({ account: complete, session })).to.not.have.any.keys(...LACKING)
  })

  it('is the same frozen object for a frozen session, and a new object for any other session', () => {
    const identityOfFound = createIdentityOfFound({ factorRoles })
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
    const changed = Object.freeze({ ...found, account: { ...ADA, roles: [] } })
    expect(identityOfFound(changed)).to.have.property('roles').that.is.empty
  })
})

describe('the second factor of a login', () => {
  const proved = { ...SESSION, factor: AT }
  const others = [{}, { secondFactor: AT + 1 }, { secondFactor: AT - 1 }]

  it('is valid while the account has the same factor, and invalid if the account has a different factor', () => {
    expect(validFactor({ session: proved, account: WITH_FACTOR })).to.equal(AT)
    for (const account of others) expect(validFactor({ session: proved, account })).to.equal(undefined)
    for (const account of [{}, WITH_FACTOR])
      expect(validFactor({ session: SESSION, account })).to.equal(undefined)
  })

  it('is the factor of the actor during an impersonation', () => {
    const session = { ...proved, actor: ACTOR }
    expect(validFactor({ session, account: {}, actorFactor: AT })).to.equal(AT)
    for (const actorFactor of [undefined, AT + 1])
      expect(validFactor({ session, account: WITH_FACTOR, actorFactor })).to.equal(undefined)
  })
})
