import { expect } from 'chai'
import fc from 'fast-check'
import { budget, projectId, projectText } from '../../../src/domain/project/project.js'

describe('a text of a project', () => {
  it('is plain text of 1 to 200 characters, unchanged', () => {
    for (const text of [' a ', '🐕'.repeat(200)])
      expect(projectText(text)).to.deep.equal({ ok: true, value: text })
    for (const text of ['', '🐕'.repeat(201)])
      expect(projectText(text)).to.include({ ok: false, type: 'Length' })
    expect(projectText('a\nb')).to.include({ ok: false, type: 'Format' })
  })
})

describe('the ID of a project', () => {
  it('is a positive integer in plain decimal form', () => {
    expect(projectId('9007199254740991')).to.equal(2 ** 53 - 1)
    for (const text of ['0', '01', '9007199254740992', ' 1'])
      expect(projectId(text), text).to.equal(undefined)
  })
})

describe('a budget', () => {
  it('is any finite number from 0, to the last digit', () => {
    expect(budget(0)).to.deep.equal({ ok: true, value: 0 })
    fc.assert(
      fc.property(fc.double({ min: 0, noNaN: true, noDefaultInfinity: true }), (value) => {
        expect(budget(value)).to.deep.equal({ ok: true, value })
      }),
    )
  })

  it('is no other number', () => {
    const rule = 'must be a finite number, 0 or more'
    for (const value of [-1, -Number.MIN_VALUE, Number.NaN, Infinity, -Infinity])
      expect(budget(value), String(value)).to.deep.equal({ ok: false, type: 'NotValid', rule })
  })
})
