import { expect } from 'chai'
import { campaign } from './campaign.js'

describe('the simulator, for longer', () => {
  it('finds no history that the model does not allow', async () => {
    const { violation, undecided } = await campaign({ histories: 20_000, seed: 20_261_127 })
    expect(violation?.story).to.equal(undefined)
    // Such a history has too many possible orders to try them all, and shows nothing.
    expect(undecided).to.be.at.most(10)
  })
})
