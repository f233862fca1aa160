import { expect } from 'chai'
import { roundOf } from './campaigns.js'

describe('a service on SQLite that is killed under load', () => {
  it('keeps every acknowledged change, and no refused change', async () => {
    const { violations, faults, requests } = await roundOf('crashes-sqlite')
    expect(violations).to.deep.equal([])
    expect(Object.keys(faults)).to.have.length(4)
    expect(requests).to.be.greaterThan(500)
  })
})
