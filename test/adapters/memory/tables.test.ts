import { expect } from 'chai'
import { createSessionTable } from '../../../src/adapters/memory/tables.js'
import type { AccountId } from '../../../src/domain/identity/account.js'
import { NOON, session } from '../../support/several-processes/samples.js'

const ANN = 1 as AccountId

describe('the session table of the memory store', () => {
  it('remains unchanged if a nonexistent session is removed', () => {
    const table = createSessionTable()
    const [kept, gone] = [session('a kept one', ANN), session('b gone', ANN)]
    table.put(kept)
    table.put(gone)
    table.remove(gone)
    table.remove(gone)
    expect(table.ofAccount(ANN)).to.deep.equal([kept])
    expect([...table.following(ANN, undefined)]).to.deep.equal([kept])
    expect(table.get(kept.id)).to.equal(kept)
    expect(table.purge(NOON + 1_000_000_000_000, 10)).to.equal(1)
    expect(table.get(kept.id)).to.equal(undefined)
  })
})
