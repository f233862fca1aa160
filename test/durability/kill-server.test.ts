import { expect } from 'chai'
import { rounds } from '../support/rotation.js'
import { killServer } from './kill-server.js'

const KILLS = rounds(3, 2)

describe('a service that is killed under write load', () => {
  it(`keeps every acknowledged pet, ${KILLS} times`, async () => {
    const report = await killServer(KILLS, Math.random)
    expect(report.acknowledged).to.be.at.least(KILLS)
    expect(report.lost).to.deep.equal([])
  })
})
