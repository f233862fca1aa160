import { expect } from 'chai'
import { roleKeys } from '../../../src/application/access/role-keys.js'
import { Refusal } from '../../../src/domain/refusal.js'

describe('the keys of roles', () => {
  it('contain each key once, in the given order', () => {
    expect(roleKeys(['b', 'a', 'b'])).to.deep.equal(['b', 'a'])
    expect(roleKeys([])).to.deep.equal([])
  })

  it('are refused if a key is invalid', () => {
    expect(() => roleKeys(['a', 'not one']))
      .to.throw(Refusal)
      .with.property('code', 'invalid')
  })
})
