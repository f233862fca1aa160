import { expect } from 'chai'
import { roundsOf } from './rounds-of.js'

describe('a service on SQLite that is killed under load', () => {
  it('keeps everything that it has acknowledged, and nothing that it has refused', async () => {
    const { violations, faults, requests } = await roundsOf('crashes-sqlite', { rounds: 1 })
    expect(violations).to.deep.equal([])
    expect(faults).to.equal(6)
    expect(requests).to.be.greaterThan(1000)
  })
})
