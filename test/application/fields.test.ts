import { expect } from 'chai'
import { byKind, fields, parseFields, type FieldError } from '../../src/application/fields.js'
import { accepted, broken } from '../../src/domain/parsed.js'
import { Refusal } from '../../src/domain/refusal.js'

describe('parsed fields', () => {
  it('are rejected with a message for every broken rule, in the order of the fields', () => {
    let refusal: unknown
    try {
      parseFields({
        name: broken('Length', 'is too long'),
        age: accepted(3),
        tag: broken('Format', 'is not a tag'),
      })
    } catch (error) {
      refusal = error
    }
    expect(refusal).to.be.instanceOf(Refusal).with.property('code', 'invalid')
    expect((refusal as Refusal).messages).to.deep.equal([
      { field: 'name', type: 'Length', message: 'is too long' },
      { field: 'tag', type: 'Format', message: 'is not a tag' },
    ])
  })
})

describe('the object parser', () => {
  it('for an array or any other value that is not an object, reports only that an object is required', () => {
    for (const parser of [fields({}), byKind('must be an object', {})])
      for (const value of [[], [1], null, 'text', 7]) {
        const errors: FieldError[] = []
        parser(value, 'field', errors)
        expect(errors).to.deep.equal([{ field: 'field', type: 'Format', message: 'must be an object' }])
      }
  })
})
