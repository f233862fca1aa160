import { expect } from 'chai'
import { describeWith } from '../support/required-tools.js'
import { rotating } from '../support/rotation.js'
import { roundOf } from './campaigns.js'

/** Campaigns, each with its number of faults in a round. The seed selects the first fault, so different CI runs inject different faults. */
const ON_SQLITE = { 'crashes-sqlite': 4, disk: 6, malformed: 5_000 }
/** Each CI run selects one campaign. */
const ON_MONGODB = { 'crashes-mongodb': 2, network: 2 }
const ON_POSTGRESQL = { 'crashes-postgresql': 2 }

function keepsItsPromises(rounds: readonly (readonly [name: string, faults: number])[]): void {
  for (const [name, faults] of rounds)
    it(`keeps every acknowledged change and no rejected change in the campaign ${name}`, async () => {
      const outcome = await roundOf(name, faults)
      expect(outcome.violations).to.deep.equal([])
      expect(Object.values(outcome.faults).reduce((sum, count) => sum + count)).to.equal(faults)
      expect(outcome.requests).to.be.greaterThan(200)
    })
}

describe('a service on SQLite under load and faults', () => {
  keepsItsPromises(Object.entries(ON_SQLITE))
})

describeWith('mongod', 'a service on a replica set under load and faults', () => {
  keepsItsPromises(rotating(Object.entries(ON_MONGODB), 1))
})

describeWith('postgres', 'a service on a PostgreSQL primary with a standby under load and faults', () => {
  keepsItsPromises(Object.entries(ON_POSTGRESQL))
})
