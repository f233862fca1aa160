import { expect } from 'chai'
import { rounds } from '../support/rotation.js'
import { killServer } from './kill-server.js'

const KILLS = rounds(3, 2)

describe('a service that is killed while it is written to', () => {
  it(`has every pet that it had acknowledged, ${KILLS} times over`, async () => {
    const report = await killServer(KILLS, Math.random)
    expect(report.acknowledged).to.be.at.least(KILLS)
    expect(report.lost).to.deep.equal([])
  })
})
