import { expect } from 'chai'
import { roleKeys, unknownRole } from '../../../src/application/access/role-keys.js'
import type { RoleKey } from '../../../src/domain/access/role.js'
import { Refusal } from '../../../src/domain/refusal.js'

describe('the keys of roles', () => {
  it('are each there once, in the order in which they came', () => {
    expect(roleKeys(['b', 'a', 'b'])).to.deep.equal(['b', 'a'])
    expect(roleKeys([])).to.deep.equal([])
  })

  it('are refused if one has not the form of a key', () => {
    expect(() => roleKeys(['a', 'not one']))
      .to.throw(Refusal)
      .with.property('code', 'invalid')
  })

  it('that are in no table are named in the refusal', () => {
    const { code, messages } = unknownRole('boss' as RoleKey)
    expect([code, messages[0]?.message]).to.deep.equal(['not-found', 'There is no role "boss".'])
  })
})
