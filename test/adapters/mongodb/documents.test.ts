import { expect } from 'chai'
import { accountOf } from '../../../src/adapters/mongodb/documents.js'

describe('an account document', () => {
  it('is read without the reset tokens of earlier releases', () => {
    const account = { email: 'ann@example.org', epoch: 3, createdAt: 1, roles: [] } as const
    const document = { _id: 1, ...account, reset: {}, resets: [] } as never
    expect(accountOf(document)).to.deep.equal({ id: 1, ...account })
  })
})
