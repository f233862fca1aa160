import { expect } from 'chai'
import { rounds } from '../support/rotation.js'
import { staleReplies } from './stale-replies.js'

const CHANGES = rounds(60, 24)

describe('a service on a SQLite file that another process changes', () => {
  for (const workers of [1, 3])
    it(`shows a change to a session, account or role in the next response of each of ${workers} workers`, async () => {
      const { load, ...report } = await staleReplies(CHANGES, workers)
      expect(report).to.deep.equal({ rounds: CHANGES, reads: CHANGES * workers, stale: [] })
      expect(load).to.be.greaterThan(0)
    })
})
