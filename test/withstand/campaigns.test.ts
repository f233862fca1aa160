import { expect } from 'chai'
import { describeWith } from '../support/required-tools.js'
import { roundOf } from './campaigns.js'

/** Faults in the round of a campaign. The seed chooses the first of them, so that each has its turn. */
const ON_SQLITE = { 'crashes-sqlite': 4, disk: 6, malformed: 5_000 }
const ON_MONGODB = { 'crashes-mongodb': 2, network: 2 }

function keepsItsPromises(rounds: Readonly<Record<string, number>>): void {
  for (const [name, faults] of Object.entries(rounds))
    it(`keeps every acknowledged change and no refused change in the campaign ${name}`, async () => {
      const outcome = await roundOf(name, faults)
      expect(outcome.violations).to.deep.equal([])
      expect(Object.values(outcome.faults).reduce((sum, count) => sum + count)).to.equal(faults)
      expect(outcome.requests).to.be.greaterThan(200)
    })
}

describe('a service on SQLite under load and faults', () => {
  keepsItsPromises(ON_SQLITE)
})

describeWith('mongod', 'a service on a replica set under load and faults', () => {
  keepsItsPromises(ON_MONGODB)
})
