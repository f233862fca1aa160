import { expect } from 'chai'
import { rounds } from '../support/rotation.js'
import { killUnderLoad } from './kill-under-load.js'

const KILLS = rounds(5, 2)

describe('an SQLite file whose writer is killed', () => {
  it(`holds every acknowledged write, ${KILLS} times`, async () => {
    const report = await killUnderLoad(KILLS, Math.random)
    expect(report.acknowledged).to.be.greaterThan(KILLS)
    expect(report.lost).to.deep.equal([])
    expect(report.integrity).to.deep.equal(Array(KILLS).fill('ok'))
  })
})
