import { expect } from 'chai'
import fc from 'fast-check'
import { z } from 'zod'
import {
  MUST_BE,
  unknownFields,
  wordsOf,
  type SchemaIssue,
  isOneEditApart,
  suggestionFor,
} from '../../src/domain/messages.js'

describe('validation messages', () => {
  it('name each unknown field, with a suggestion', () => {
    expect(unknownFields(['emial', 'x\n"'], ['email'])).to.equal(
      'unknown field "emial" (did you mean "email"?), unknown field "x\\n\\""',
    )
  })

  it('say that a missing field is required, regardless of its type', () => {
    expect(wordsOf({ code: 'invalid_type', expected: 'string', path: ['email'] })).to.equal('required')
    expect(wordsOf({ code: 'invalid_value', values: ['cat'], path: ['kind'] })).to.equal('required')
    expect(wordsOf({ code: 'invalid_type', expected: 'object', path: [] })).to.equal('must be an object')
    expect(wordsOf({ code: 'invalid_type', expected: 'object' })).to.equal('must be an object')
  })

  it('name the expected type of a wrong value', () => {
    const rule = (issue: SchemaIssue) => wordsOf({ path: ['field'], input: [], ...issue })
    const types = ['string', 'number', 'boolean', 'object', 'array', 'function'] as const
    for (const expected of types) expect(rule({ code: 'invalid_type', expected })).to.equal(MUST_BE[expected])
    expect(rule({ code: 'invalid_type', expected: 'int' })).to.equal('must be an integer')
    expect(rule({ code: 'invalid_type', expected: 'record' })).to.equal('must be an object')
    expect(rule({ code: 'invalid_value', values: ['cat', 7] })).to.equal('must be one of cat, 7')
    expect(rule({ code: 'invalid_value' })).to.equal('must be one of ')
  })

  it('name unknown members, with suggestions from the schema', () => {
    const unknown = (inst: unknown) => wordsOf({ code: 'unrecognized_keys', keys: ['nmae'], input: {}, inst })
    expect(unknown(z.object({ name: z.string() }))).to.equal('unknown field "nmae" (did you mean "name"?)')
    for (const inst of [undefined, null, 'a text', {}, { shape: null }, { shape: 'name' }])
      expect(unknown(inst)).to.equal('unknown field "nmae"')
    expect(wordsOf({ code: 'unrecognized_keys' })).to.equal('')
  })

  it('have a fixed text for any unexpected schema issue', () => {
    expect(wordsOf({ code: 'not_multiple_of', input: 5, path: ['a'] })).to.equal('not-valid')
    expect(wordsOf({ code: 'not_multiple_of', input: 5, expected: 'string' })).to.equal('not-valid')
    expect(wordsOf({ code: 'invalid_type', expected: 'symbol', input: 5 })).to.equal('not-valid')
    expect(wordsOf({ code: 'invalid_type', input: 5 })).to.equal('not-valid')
    expect(wordsOf({ input: 5 })).to.equal('not-valid')
  })
})

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
