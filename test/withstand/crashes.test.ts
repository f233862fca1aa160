import { expect } from 'chai'
import { roundsOf } from './rounds-of.js'

describe('a service on SQLite that is killed under load', () => {
  it('keeps every acknowledged change, and no refused change', async () => {
    const { violations, faults, requests } = await roundsOf('crashes-sqlite', { rounds: 1 })
    expect(violations).to.deep.equal([])
    expect(faults).to.equal(4)
    expect(requests).to.be.greaterThan(500)
  })
})
