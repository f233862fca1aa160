import { expect } from 'chai'
import { killServer } from './kill-server.js'

describe('a service that is killed while it is written to', () => {
  it('has every pet that it had acknowledged, 3 times over', async () => {
    const report = await killServer(3, Math.random)
    expect(report.acknowledged).to.be.at.least(3)
    expect(report.lost).to.deep.equal([])
  })
})
