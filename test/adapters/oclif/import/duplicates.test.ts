import { expect } from 'chai'
import fc from 'fast-check'
import { createDuplicateFinder } from '../../../../src/adapters/oclif/import/import-file.js'

describe('the duplicate finder', () => {
  it('returns the number with which the email was first added', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ maxLength: 2 }), { maxLength: 300 }), (emails) => {
        const findDuplicate = createDuplicateFinder(2)
        const firsts = new Map<string, number>()
        for (const [index, email] of emails.entries()) {
          expect(findDuplicate(email, index + 1)).to.equal(firsts.get(email))
          if (!firsts.has(email)) firsts.set(email, index + 1)
        }
      }),
    )
  })
})
