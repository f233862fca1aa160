import { expect } from 'chai'
import { shownCalls, type Shown } from './shown.js'

describe("the contract laws for the simulator's assumptions about stores", () => {
  let calls: readonly Shown[]
  before(async () => {
    calls = await shownCalls()
  })

  it('check, for every call, that a read sees earlier writes and that an acknowledged write is stored', () => {
    expect(calls).to.have.lengthOf.above(60)
    expect(calls.filter(({ effect }) => effect === undefined)).to.deep.equal([])
  })

  it('check, for every write, that each of several concurrent calls takes effect', () => {
    const writes = calls.filter(({ kind }) => kind !== 'read')
    expect(writes).to.have.lengthOf.above(40)
    expect(writes.filter(({ atomicity }) => atomicity === undefined)).to.deep.equal([])
  })
})
