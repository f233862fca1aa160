import { expect } from 'chai'
import { describeWith } from '../support/required-tools.js'
import { rotating } from '../support/rotation.js'
import { roundsOf } from '../withstand/rounds-of.js'

describeWith('mongod', 'a service on a replica set under load', () => {
  for (const name of rotating(['crashes-mongodb', 'network'], 1))
    it(`keeps every acknowledged change and no refused change in the campaign ${name}`, async () => {
      const { violations, faults, requests } = await roundsOf(name, { rounds: 1 })
      expect(violations).to.deep.equal([])
      expect(faults).to.equal(5)
      expect(requests).to.be.greaterThan(500)
    })
})
