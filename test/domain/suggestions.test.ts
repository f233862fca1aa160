import { expect } from 'chai'
import fc from 'fast-check'
import { isOneEditApart, suggestionFor } from '../../src/domain/suggestions.js'

/** Returns all words that differ from this word by one edit with the letters a, b and _. */
function neighboursOf(word: string): Set<string> {
  const all = new Set<string>()
  for (let at = 0; at <= word.length; at += 1) {
    const [head, tail] = [word.slice(0, at), word.slice(at)]
    all.add(head + tail.slice(1))
    all.add(head + tail.slice(1, 2) + tail.slice(0, 1) + tail.slice(2))
    for (const letter of 'ab_') all.add(head + letter + tail).add(head + letter + tail.slice(1))
  }
  all.delete(word)
  return all
}

describe('one edit', () => {
  it('is one inserted, deleted or replaced character, or two swapped adjacent characters', () => {
    const word = fc.stringMatching(/^[ab_]{0,5}$/)
    fc.assert(
      fc.property(word, word, (one, other) => isOneEditApart(one, other) === neighboursOf(one).has(other)),
      { numRuns: 2_000 },
    )
  })
})

describe('a suggestion', () => {
  it('is the name at an edit distance of one, or the same name in a different letter case', () => {
    const known = ['email', 'password', 'baseUrl']
    expect(suggestionFor('emial', known)).to.equal('email')
    expect(suggestionFor('passwort', known)).to.equal('password')
    expect(suggestionFor('baseURL', known)).to.equal('baseUrl')
  })

  it('is undefined if no name is similar', () => {
    expect(suggestionFor('colour', ['email', 'password'])).to.equal(undefined)
    expect(suggestionFor('email', ['email'])).to.equal(undefined)
  })
})
