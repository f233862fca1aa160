import { expect } from 'chai'
import {
  assertProven,
  createAuthorize,
  isAuthorized,
  type Authorized,
} from '../../../src/application/access/authorize.js'
import { OPERATION_TABLE, USE_CASE_TABLES } from '../../../src/application/use-cases.js'
import { compilePermissions } from '../../../src/domain/access/permissions.js'
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

  it('is what every use case takes that is made by hand: one that gets a caller alone reaches no part', async () => {
    let calls = 0
    const part: unknown = new Proxy(() => (calls += 1), { get: () => part })
    // The repetition of calls to a slow store wraps the parts when it is there; it is no part that a caller can reach.
    const parts = new Proxy({}, { get: (_, name) => (name === 'retrying' ? undefined : part) })
    const unjudged = {
      caller: OPERATOR,
      name: 'a',
      roles: [],
      key: 'a',
      label: 'a',
      email: 'a@example.com',
      id: 1,
    }
    const rows = Object.entries({ ...OPERATION_TABLE.rows, ...USE_CASE_TABLES.stateful.rows })
    const proven = rows.filter(([, { permission }]) => permission !== undefined)
    expect(proven).to.have.lengthOf.above(20)
    for (const [name, { factory }] of proven) {
      const useCase = factory(parts as never) as (input: unknown) => unknown
      const outcome = await Promise.resolve({ ...unjudged, ids: [1] })
        .then(useCase)
        .catch((error: unknown) => error)
      expect(outcome, name).to.be.instanceOf(TypeError)
    }
    expect(calls).to.equal(0)
  })
})

describe('a use case that has no other question to its proof', () => {
  it('takes what authorize answered', () => {
    assertProven(authorize(OPERATOR, 'audit', 'list'))
  })

  it('throws for a caller alone, and for a proof of a component that is not one of ours', () => {
    const roles = { cli: { components: { invoices: ['list'] } } }
    const compiled = compilePermissions({ roles }, { invoices: ['list'] })
    const foreign = compiled.ok && createAuthorize(compiled.permissions)(OPERATOR, 'invoices', 'list')
    for (const wrong of [OPERATOR, undefined, foreign] as unknown as Authorized[])
      expect(() => {
        assertProven(wrong)
      }).to.throw(TypeError, 'authorized must be what authorize answered')
  })
})
