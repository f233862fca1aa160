import { expect } from 'chai'
import fc from 'fast-check'
import { isOneEditApart, suggestionFor } from '../../src/domain/suggestions.js'

/** Optimal string alignment by its textbook table. */
function distance(one: string, other: string): number {
  const table = Array.from({ length: one.length + 1 }, (_, row) =>
    Array.from({ length: other.length + 1 }, (__, column) => (row === 0 ? column : column === 0 ? row : 0)),
  )
  for (let row = 1; row <= one.length; row += 1)
    for (let column = 1; column <= other.length; column += 1) {
      const same = one[row - 1] === other[column - 1] ? 0 : 1
      const ways = [
        table[row - 1]![column]! + 1,
        table[row]![column - 1]! + 1,
        table[row - 1]![column - 1]! + same,
      ]
      const swapped = one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1]
      if (row > 1 && column > 1 && swapped) ways.push(table[row - 2]![column - 2]! + 1)
      table[row]![column] = Math.min(...ways)
    }
  return table[one.length]![other.length]!
}

describe('one edit', () => {
  it('equals a textbook distance of 1', () => {
    const word = fc.stringMatching(/^[ab_]{0,5}$/)
    fc.assert(
      fc.property(word, word, (one, other) => isOneEditApart(one, other) === (distance(one, other) === 1)),
      { numRuns: 2_000 },
    )
  })
})

describe('a suggestion', () => {
  it('is the name that is one edit apart, or the same in another case', () => {
    const known = ['email', 'password', 'baseUrl']
    expect(suggestionFor('emial', known)).to.equal('email')
    expect(suggestionFor('passwort', known)).to.equal('password')
    expect(suggestionFor('baseURL', known)).to.equal('baseUrl')
  })

  it('is undefined if no name is near', () => {
    expect(suggestionFor('colour', ['email', 'password'])).to.equal(undefined)
    expect(suggestionFor('email', ['email'])).to.equal(undefined)
  })
})
