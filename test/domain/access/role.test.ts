import { expect } from 'chai'
import { roleKey, roleLabel } from '../../../src/domain/access/role.js'

describe('a role key', () => {
  it('has 1 to 100 letters, digits, dots, underscores and hyphens, and is not the name of a member of `Object.prototype`', () => {
    for (const key of ['7', 'Team_1.reader', 'k'.repeat(100)])
      expect(roleKey(key)).to.deep.equal({ ok: true, value: key })
    const rule = 'must have 1 to 100 letters, digits, dots, underscores or hyphens'
    for (const key of ['', '-a', '.a', '_a', 'a b', 'a\n', 'ä', 'a/b', 'k'.repeat(101)])
      expect(roleKey(key), key).to.deep.equal({ ok: false, type: 'Format', rule })
    for (const key of ['constructor', 'toString', 'hasOwnProperty', 'valueOf'])
      expect(roleKey(key), key).to.include({ ok: false })
  })
})

describe('a role label', () => {
  it('has 1 to 200 characters, without surrounding white space', () => {
    expect(roleLabel(' Éditeur «ß» ')).to.deep.equal({ ok: true, value: 'Éditeur «ß»' })
    expect(roleLabel('l'.repeat(200)).ok).to.equal(true)
    for (const wrong of ['', ' ', 'l'.repeat(201)])
      expect(roleLabel(wrong)).to.include({ ok: false, type: 'Length' })
  })
})
