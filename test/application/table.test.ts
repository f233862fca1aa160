import { expect } from 'chai'
import { missingFor, checkedTable, type Rows } from '../../src/application/table.js'

type ExampleParts = {
  readonly clock: () => number
  readonly minLength: number
  readonly limit: number | undefined
}

const createClock = (parts: { clock: () => number; limit?: number | undefined }) => parts.clock
const createLength = (parts: { minLength: number }) => parts.minLength

describe('a table of factories', () => {
  it('accepts rows whose parts match', () => {
    const rows = {
      now: { factory: createClock, parts: ['clock', 'limit'] },
      length: { factory: createLength, parts: [], renamed: { minLength: 'least' } },
      least: { factory: createLength, parts: ['minLength'] },
    } as const
    expect(checkedTable<ExampleParts>()(rows).rows).to.equal(rows)
  })

  it('does not compile if a part is missing, unknown or of the wrong type', () => {
    const table = checkedTable<ExampleParts>()
    const least = { factory: () => 'eight', parts: [] } as const
    const tables = [
      // @ts-expect-error -- `limit` is not named: even an optional part must be named.
      table({ now: { factory: createClock, parts: ['clock'] } }),
      // @ts-expect-error -- no row and no passed-in part is called `clocks`.
      table({ now: { factory: createClock, parts: ['clocks', 'limit'] } }),
      // @ts-expect-error -- the factory does not take `minLength`.
      table({ now: { factory: createClock, parts: ['clock', 'limit', 'minLength'] } }),
      // @ts-expect-error -- a clock is not a number.
      table({ length: { factory: createLength, parts: [], renamed: { minLength: 'clock' } } }),
      // @ts-expect-error -- the row `least` creates a string, not a number.
      table({ least, length: { factory: createLength, parts: [], renamed: { minLength: 'least' } } }),
      // @ts-expect-error -- a part that is passed in must not be created by a row.
      table({ minLength: { factory: () => 8, parts: [] } }),
    ]
    expect(tables).to.have.lengthOf(6)
  })
})

describe('missing parts', () => {
  const factory = () => undefined
  const rows: Rows = {
    list: { factory, parts: ['clock', 'limit'], optional: ['limit'] },
    sorted: { factory, parts: ['list', 'order'], renamed: { from: 'list', to: 'printer' } },
    alone: { factory, parts: [] },
  }
  const missing = (name: string, ...given: readonly string[]) =>
    missingFor(name, rows, (one) => given.includes(one))

  it('include a part that no row creates, even if `Object.prototype` has a member with the same name', () => {
    expect([missing('clock'), missing('toString')]).to.deep.equal([['clock'], ['toString']])
  })

  it('include each direct and indirect dependency once, under any name, but no optional part', () => {
    expect(missing('list')).to.deep.equal(['clock'])
    expect(missing('list', 'clock')).to.deep.equal([])
    expect(missing('sorted')).to.deep.equal(['clock', 'order', 'printer'])
    expect(missing('sorted', 'list', 'printer')).to.deep.equal(['order'])
  })
})
