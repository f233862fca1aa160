import { expect } from 'chai'
import { createAuthorize, isAuthorized } from '../../../src/application/access/authorize.js'
import { ANONYMOUS, OPERATOR } from '../../../src/domain/access/caller.js'
import { Refusal } from '../../../src/domain/refusal.js'
import { OUTSIDERS } from '../../support/callers.js'
import { compiledPermissions } from '../../support/permissions.js'

const permissions = compiledPermissions()
const authorize = createAuthorize(permissions)

describe('authorize', () => {
  it('gives a frozen proof of who may do what', () => {
    const proof = authorize(OPERATOR, 'role', 'create')
    expect(proof).to.include({ caller: OPERATOR, component: 'role', action: 'create' })
    expect(Object.isFrozen(proof)).to.equal(true)
    expect(isAuthorized(permissions, proof)).to.equal(true)
  })

  it('tells one whom a role permits it, though everyone is no role of the account', () => {
    expect(authorize(ANONYMOUS, 'auth', 'login').caller).to.equal(ANONYMOUS)
  })

  it('refuses those whom nothing permits it; the client is not told what was missing, the log is', () => {
    for (const [caller, code] of OUTSIDERS) {
      let refusal: unknown
      try {
        authorize(caller, 'role', 'create')
      } catch (error) {
        refusal = error
      }
      expect(refusal).to.be.instanceOf(Refusal).and.include({ code, detail: 'role:create is not permitted' })
      expect(JSON.stringify((refusal as Refusal).messages)).to.not.include('role')
    }
  })

  it('gives no proof that passes where other permissions are in force, nor does a copy of one', () => {
    const proof = authorize(OPERATOR, 'role', 'create')
    expect(isAuthorized(compiledPermissions(), proof)).to.equal(false)
    for (const copy of [Object.assign({}, proof), Object.create(proof) as unknown, null, undefined, 'proof'])
      expect(isAuthorized(permissions, copy)).to.equal(false)
  })
})
