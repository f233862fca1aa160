import { operations } from '../../../../src/application/index.js'
import { ACTIVE, CODE, fakedParts, PASSWORD as RIGHT } from '../faked-parts.js'
import { expect } from 'chai'
import { wordsOf } from '../../../support/refusal-of.js'

describe('removing a second factor, with fakes', () => {
  it('is refused if another call has already removed the factor', async () => {
    const { parts, entries, notices } = fakedParts(ACTIVE)
    const removing = operations.removeSecondFactor.factory({
      ...parts,
      secondFactors: { ...parts.secondFactors, remove: async () => 'unknown' },
      proveFactor: async () => 1,
    })
    const removed = removing({ password: RIGHT, code: CODE, presented: {} })
    expect(await wordsOf(removed)).to.equal('conflict | Conflict: No second factor is active.')
    expect([...entries, ...notices]).to.deep.equal([])
  })
})
