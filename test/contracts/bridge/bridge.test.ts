import { expect } from 'chai'
import { PLANTED } from '../../simulation/planted.js'
import { lawAgainst } from './planted.js'
import { shownCalls, type Shown } from './shown.js'

const nameOf = ({ call }: Shown) => call

describe('the laws show the assumptions of the simulator', () => {
  let shown: readonly Shown[] = []

  before(async () => {
    shown = await shownCalls()
  })

  it('for every call: a read sees earlier writes, and an acknowledged write is made', () => {
    expect(shown).to.have.lengthOf.above(60)
    expect(shown.filter(({ effect }) => !effect).map(nameOf)).to.deep.equal([])
  })

  it('for every write: concurrent calls are each made', () => {
    const writes = shown.filter(({ kind }) => kind !== 'read')
    expect(writes).to.have.lengthOf.above(40)
    expect(writes.filter(({ atomicity }) => !atomicity).map(nameOf)).to.deep.equal([])
  })

  for (const [name, bug] of Object.entries(PLANTED)) {
    it(`and a law notices it if ${name}`, async () => {
      expect(await lawAgainst(bug)).to.not.equal(undefined)
    })
  }
})
