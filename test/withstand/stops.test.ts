import { expect } from 'chai'
import { describeWith } from '../support/required-tools.js'
import { isFound, violationsOf } from './real-service/trial.js'
import { stopsChecker } from './stops/checker.js'

/** Of these a few are of two instances, and one of each other kind. */
const SEEDS = [1, 4, 5, 2, 3, 6, 7, 8]

describe('processes that stand still', () => {
  before(function () {
    if (process.platform !== 'linux') this.skip()
  })

  it('do nothing that is not allowed when they go on, on one file', async () => {
    expect(await violationsOf(stopsChecker, { store: 'sqlite', seeds: [1, 3, 4] })).to.deep.equal([])
  })

  describeWith('mongod', 'on a replica set', () => {
    it('do nothing that is not allowed either', async () => {
      expect(await violationsOf(stopsChecker, { store: 'mongodb', seeds: [1, 2] })).to.deep.equal([])
    })
  })

  for (const [planted, what] of Object.entries(stopsChecker.planted))
    it(`show it: ${what}`, async () => {
      expect(await isFound(stopsChecker, { store: 'sqlite', planted, seeds: SEEDS })).to.equal(true)
    })
})
