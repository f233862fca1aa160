import { expect } from 'chai'
import { roleKeys } from '../../../src/application/access/role-keys.js'
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
})
