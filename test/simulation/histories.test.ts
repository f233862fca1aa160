import { expect } from 'chai'
import { campaign } from './campaign.js'
import { PLANTED } from './planted/index.js'
import { play } from './play.js'

describe('the simulator', () => {
  it('finds no history that violates the model', async () => {
    const { violation, undecided } = await campaign({ histories: 2_000, seed: 1 })
    expect(violation?.story).to.equal(undefined)
    expect(undecided).to.equal(0)
  })

  it('replays a violation exactly from its seed and path', async () => {
    const bug = PLANTED['a spent refresh token in the grace window needs no cookie'] ?? {}
    const { violation } = await campaign({ histories: 5_000, seed: 5, bug })
    const { seed = 0, path = '', plan, story = '' } = violation ?? {}
    const again = await campaign({ histories: 1, seed, path, bug })
    expect(again.violation?.plan).to.deep.equal(plan)
    expect(again.violation?.story).to.equal(story)
    expect(story.split('\n')).to.have.lengthOf.at.most(60)
  })

  it('creates the same history from the same plan', async () => {
    const plan = {
      setting: [2, 4],
      actions: [
        [0, 0],
        [1, 0],
        [2, 1, 0, 1, 1, 1],
      ],
      choices: [1, 2, 1],
      mishaps: [],
    }
    expect(await play(plan)).to.deep.equal(await play(plan))
  })
})
