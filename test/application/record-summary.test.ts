import { expect } from 'chai'
import { systemDigest } from '../../src/adapters/system/index.js'
import { summaryOf } from '../../src/application/record-summary.js'
import type { CopyableRecords } from '../../src/ports/copyable-records.js'

/** Returns `CopyableRecords` that contain only these pets. */
function recordsOf(all: readonly object[]): CopyableRecords {
  const page = (_kind: string, after: object | undefined, limit: number) => {
    const from = after === undefined ? 0 : all.indexOf(after) + 1
    return Promise.resolve(all.slice(from, from + limit))
  }
  return { page } as never
}
const summary = (all: readonly object[]) => summaryOf(recordsOf(all), 'pet', systemDigest, () => undefined)

describe('the summary of a set of records', () => {
  it('is the same for equal records, regardless of the order of their members', async () => {
    const one = await summary([{ id: 1, traits: { a: 1, b: 2 } }])
    expect(await summary([{ traits: { b: 2, a: 1 }, id: 1 }])).to.deep.equal(one)
    for (const other of [[{ id: 1, traits: { a: 1, b: 3 } }], [], [{ id: 2, traits: { a: 1, b: 2 } }]])
      expect((await summary(other)).digest).to.not.equal(one.digest)
  })

  it('includes members whose value is null', async () => {
    const [none, other] = [await summary([{ id: 1, traits: null }]), await summary([{ id: 1, traits: {} }])]
    expect(none.count).to.equal(1)
    expect(none.digest).to.not.equal(other.digest)
  })
})
