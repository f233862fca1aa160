import { expect } from 'chai'
import fc from 'fast-check'
import { budget, projectId, projectText } from '../../../src/domain/project/project.js'

describe('a text of a project', () => {
  it('is 1 to 200 characters, taken as they are', () => {
    for (const text of [' a ', 'é', '🐕'.repeat(200)])
      expect(projectText(text)).to.deep.equal({ ok: true, value: text })
    for (const text of ['', 'a'.repeat(201), '🐕'.repeat(201)])
      expect(projectText(text)).to.include({ ok: false, type: 'Length' })
  })

  it('has no control characters', () => {
    for (const text of ['a\u0000', 'a\nb', '\u0085'])
      expect(projectText(text)).to.include({ ok: false, type: 'Format' })
  })
})

describe('the id of a project', () => {
  it('is named by its plain decimal form alone', () => {
    expect([projectId('1'), projectId('9007199254740991')]).to.deep.equal([1, 2 ** 53 - 1])
    for (const text of ['', '0', '01', '-1', '1.0', '1e3', '9007199254740992', 'x', ' 1', '١'])
      expect(projectId(text), text).to.equal(undefined)
  })
})

describe('a budget', () => {
  it('is any finite number from 0 on, to the last digit', () => {
    expect(budget(0)).to.deep.equal({ ok: true, value: 0 })
    fc.assert(
      fc.property(fc.double({ min: 0, noNaN: true, noDefaultInfinity: true }), (value) => {
        expect(budget(value)).to.deep.equal({ ok: true, value })
      }),
    )
  })

  it('is nothing else', () => {
    for (const value of [
      -1,
      -Number.MIN_VALUE,
      Number.NaN,
      Number.POSITIVE_INFINITY,
      Number.NEGATIVE_INFINITY,
    ])
      expect(budget(value), String(value)).to.deep.equal({
        ...{ ok: false, type: 'NotValid', rule: 'must be a finite number, 0 or more' },
      })
  })
})
