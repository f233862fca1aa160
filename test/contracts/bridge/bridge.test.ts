import { join } from 'node:path'
import { expect } from 'chai'
import { runScript, type Ending } from '../../support/project.js'

/** The built project, so that the script reads the modules that were compiled with this test. */
const BUILT = join(import.meta.dirname, '..', '..', '..')

/** The output of the script: a law is missing if the script has found none. */
type Tables = {
  readonly calls: readonly {
    readonly call: string
    readonly kind: string
    readonly effect?: string
    readonly atomicity?: string
  }[]
  readonly bugs: readonly { readonly name: string; readonly law?: string }[]
}

describe('the laws show the assumptions of the simulator', () => {
  let ending: Ending
  let tables: Tables
  before(async () => {
    ending = await runScript('scripts/write-assumption-tables.js', ['--check', BUILT])
    tables = JSON.parse(ending.lines.at(-1) ?? '') as Tables
  })

  it('as the page says, which equals the output of its script', () => {
    expect(ending.status, ending.lines[0]).to.equal(0)
  })

  it('for every call: a read sees earlier writes, and an acknowledged write is made', () => {
    expect(tables.calls).to.have.lengthOf.above(60)
    expect(tables.calls.filter(({ effect }) => effect === undefined)).to.deep.equal([])
  })

  it('for every write: concurrent calls are each made', () => {
    const writes = tables.calls.filter(({ kind }) => kind !== 'read')
    expect(writes).to.have.lengthOf.above(40)
    expect(writes.filter(({ atomicity }) => atomicity === undefined)).to.deep.equal([])
  })

  it('and notice every planted bug that changes a store', () => {
    expect(tables.bugs).to.have.lengthOf.above(30)
    expect(tables.bugs.filter(({ law }) => law === undefined)).to.deep.equal([])
  })
})
