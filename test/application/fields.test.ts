import { expect } from 'chai'
import { byKind, fields, type FieldError } from '../../src/application/fields.js'

describe('the object parser', () => {
  it('reports only that an object is required if the value is an array or not an object at all', () => {
    for (const parser of [fields({}), byKind('must be an object', {})])
      for (const value of [[], [1], null, 'text', 7]) {
        const errors: FieldError[] = []
        parser(value, 'field', errors)
        expect(errors).to.deep.equal([{ field: 'field', type: 'Format', message: 'must be an object' }])
      }
  })
})
