import { expect } from 'chai'
import { describeWith } from '../support/required-tools.js'
import { networkChecker, openOn } from './network/checker.js'
import { startCluster, type Cluster } from './network/stage.js'

/** Each of the bugs is found in the first of them or two more. */
const MOST_ROUNDS = 12

describeWith('mongod', 'a network that fails, to a replica set and within it', () => {
  let cluster: Cluster
  before(async () => {
    cluster = await startCluster()
  })
  after(() => cluster.close())

  const bench = (planted?: string) =>
    openOn(cluster, { note: () => undefined, ...(planted !== undefined && { planted }) })

  it('takes nothing away that was acknowledged, and brings nothing back that has ended', async () => {
    const checked = bench()
    for (const seed of [1, 2]) {
      const { operations, faults, violations } = await checked.round(seed)
      expect(violations).to.deep.equal([])
      expect(operations).to.be.greaterThan(0)
      expect(faults).to.be.greaterThan(0)
    }
  })

  for (const [planted, what] of Object.entries(networkChecker.planted)) {
    it(`is seen to do so where ${what}`, async () => {
      const checked = bench(planted)
      let found = false
      for (let seed = 1; seed <= MOST_ROUNDS && !found; seed += 1) {
        found = (await checked.round(seed)).violations.length > 0
      }
      expect(found).to.equal(true)
    })
  }
})
