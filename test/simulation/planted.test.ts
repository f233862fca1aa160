import { expect } from 'chai'
import { rotating } from '../support/rotation.js'
import { campaign } from './campaign.js'
import { PLANTED } from './planted/index.js'

describe('a planted bug', () => {
  for (const [name, bug] of rotating(Object.entries(PLANTED), 6)) {
    it(`is found: ${name}`, async () => {
      const { violation } = await campaign({ histories: 40_000, seed: 1, bug, shrink: false })
      expect(violation?.story).to.include('The model explains at most')
    })
  }
})
