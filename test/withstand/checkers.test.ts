import { expect } from 'chai'
import { CHECKERS } from './checkers.js'

describe('the checkers', () => {
  it('have names of their own, and titles that read as sentences', () => {
    const names = CHECKERS.map(({ name }) => name)
    expect(names).to.have.length.greaterThan(6)
    expect(new Set(names).size).to.equal(names.length)
    expect(
      CHECKERS.filter(({ title }) => !/^[A-Z].*[^.]$/.test(title)).map(({ name }) => name),
    ).to.deep.equal([])
  })

  it('have at least five planted bugs to find each', () => {
    const few = CHECKERS.filter(({ planted }) => Object.keys(planted).length < 5)
    expect(few.map(({ name }) => name)).to.deep.equal([])
  })
})
