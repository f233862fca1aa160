import { expect } from 'chai'
import { createAuthorize } from '../../../src/application/access/authorize.js'
import { ANONYMOUS, OPERATOR } from '../../../src/domain/access/caller.js'
import { Refusal } from '../../../src/domain/refusal.js'
import { OUTSIDERS } from '../../support/callers.js'
import { compiledPermissions } from '../../support/permissions.js'

const authorize = createAuthorize(compiledPermissions())

describe('authorize', () => {
  it('returns a frozen object with the caller, component and action', () => {
    const proof = authorize(OPERATOR, 'role', 'create')
    expect(proof).to.include({ caller: OPERATOR, component: 'role', action: 'create' })
    expect(Object.isFrozen(proof)).to.equal(true)
  })

  it('lets an anonymous caller perform the actions of the implicit role `everyone`', () => {
    expect(authorize(ANONYMOUS, 'auth', 'login').caller).to.equal(ANONYMOUS)
  })

  it('refuses a caller without the permission, and mentions the permission only in the log', () => {
    for (const [caller, code] of OUTSIDERS) {
      let refusal: unknown
      try {
        authorize(caller, 'role', 'create')
      } catch (error) {
        refusal = error
      }
      expect(refusal).to.be.instanceOf(Refusal).and.include({ code, detail: 'role: create is not permitted' })
      expect(JSON.stringify((refusal as Refusal).messages)).to.not.include('role')
    }
  })
})
