import { describe, it } from 'mocha'
import { campaign } from '../dist/test/simulation/campaign.js'

describe('the simulation', () => {
  it('finds no history that the model does not allow', async () => {
    const { violation } = await campaign({ histories: 100, seed: 1, shrink: false })
    if (violation) throw new Error(violation.story)
  })
})
