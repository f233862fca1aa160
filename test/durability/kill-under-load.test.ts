import { expect } from 'chai'

import { killUnderLoad } from './kill-under-load.js'

describe('a SQLite file whose writer is killed', () => {
  it('holds every write that was acknowledged, 5 times over', async () => {
    const report = await killUnderLoad(5, Math.random)
    expect(report.acknowledged).to.be.greaterThan(5)
    expect(report.lost).to.deep.equal([])
    expect(report.integrity).to.deep.equal(['ok', 'ok', 'ok', 'ok', 'ok'])
  })
})
