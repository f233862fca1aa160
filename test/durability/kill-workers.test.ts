import { expect } from 'chai'
import { rounds } from '../support/rotation.js'
import { killWorkers } from './kill-workers.js'

const KILLS = rounds(20, 5)

describe('a service whose workers are killed under load', () => {
  it(`keeps every acknowledged write, and the other workers answer all requests, in each of ${KILLS} kills`, async () => {
    const { acknowledged, ...report } = await killWorkers(KILLS, Math.random)
    expect(report).to.deep.equal({ rounds: KILLS, lost: [], failed: [], deaths: KILLS, ending: 0 })
    expect(acknowledged).to.be.at.least(KILLS)
  })
})
