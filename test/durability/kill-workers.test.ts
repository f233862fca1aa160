import { expect } from 'chai'
import { killWorkers } from './kill-workers.js'

describe('a service whose workers are killed under load', () => {
  it('loses nothing that was acknowledged, and no request of another worker, 20 times over', async () => {
    const { acknowledged, ...report } = await killWorkers(20, Math.random)
    expect(report).to.deep.equal({ rounds: 20, lost: [], failed: [], deaths: 20, ending: 0 })
    expect(acknowledged).to.be.at.least(20)
  })
})
