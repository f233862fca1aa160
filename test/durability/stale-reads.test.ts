import { expect } from 'chai'
import { rounds } from '../support/rotation.js'
import { staleReads } from './stale-reads.js'

const CHANGES = rounds(300, 100)

describe('a SQLite file that another process changes', () => {
  it(`is never read in a state older than an acknowledged change, during ${CHANGES} changes`, async () => {
    const { reads, sessions, stale } = await staleReads(CHANGES, 1)
    expect(stale).to.deep.equal([])
    expect(sessions).to.be.at.least(CHANGES)
    expect(reads).to.be.at.least(CHANGES)
  })
})
