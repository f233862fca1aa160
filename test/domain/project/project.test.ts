import { expect } from 'chai'
import fc from 'fast-check'
import { budget, projectId, projectText } from '../../../src/domain/project/project.js'

describe('a text field of a project', () => {
  it('is plain text of 1 to 200 characters and is not changed', () => {
    for (const text of [' a ', '🐕'.repeat(200)])
      expect(projectText(text)).to.deep.equal({ ok: true, value: text })
    for (const text of ['', '🐕'.repeat(201)])
      expect(projectText(text)).to.include({ ok: false, type: 'Length' })
    expect(projectText('a\nb')).to.include({ ok: false, type: 'Format' })
  })
})

describe('a project ID', () => {
  it('is a positive integer in plain decimal form', () => {
    expect(projectId('9007199254740991')).to.equal(2 ** 53 - 1)
    for (const text of ['0', '01', '9007199254740992', ' 1'])
      expect(projectId(text), text).to.equal(undefined)
  })
})

describe('a budget', () => {
  it('is any finite number that is not negative, except an integer above 2^53 - 1', () => {
    for (const value of [0, 2 ** 53 - 1, 2 ** 51 + 0.5])
      expect(budget(value)).to.deep.equal({ ok: true, value })
    fc.assert(
      fc.property(fc.double({ min: 0, max: Number.MAX_SAFE_INTEGER, noNaN: true }), (value) => {
        expect(budget(value)).to.deep.equal({ ok: true, value })
      }),
    )
  })

  it('is rejected if it is any other number', () => {
    const rule = 'must be a finite, non-negative number; an integer must be at most 2^53 - 1'
    const inexact = ['9007199254740993', '9007199254740992', '1e300', '18014398509481985'].map(Number)
    for (const value of [...inexact, -1, -Number.MIN_VALUE, Number.NaN, Infinity, -Infinity])
      expect(budget(value), String(value)).to.deep.equal({ ok: false, type: 'NotValid', rule })
  })
})
