import { expect } from 'chai'
import { systemDigest } from '../../src/adapters/system/index.js'
import { howApart, PAGE, pagesOf, summaryOf } from '../../src/application/record-summary.js'
import type { RecordOf, CopyableRecords } from '../../src/ports/copyable-records.js'

type Pet = RecordOf['pet']

/** Records of pets alone, as they stand; each page that was asked for is counted. */
function recordsOf(all: readonly object[]): { records: CopyableRecords; pages: () => number } {
  let asked = 0
  const page = (_kind: string, after: object | undefined, limit: number) => {
    asked += 1
    const from = after === undefined ? 0 : all.indexOf(after) + 1
    return Promise.resolve(all.slice(from, from + limit))
  }
  return { records: { page } as unknown as CopyableRecords, pages: () => asked }
}

const pets = (count: number) => Array.from({ length: count }, (_, id) => ({ id, name: `Rex ${id}` }))
const summary = (all: readonly object[]) =>
  summaryOf(recordsOf(all).records, 'pet', systemDigest, () => undefined)

describe('the summary of records', () => {
  it('is one for equal records, whatever the order of their members, and another for others', async () => {
    const one = await summary([{ id: 1, traits: { a: 1, b: 2 } }])
    expect(await summary([{ traits: { b: 2, a: 1 }, id: 1 }])).to.deep.equal(one)
    for (const other of [[{ id: 1, traits: { a: 1, b: 3 } }], [], [{ id: 2, traits: { a: 1, b: 2 } }]])
      expect((await summary(other)).digest).to.not.equal(one.digest)
  })

  it('is of members that are null, too', async () => {
    const [none, other] = [await summary([{ id: 1, traits: null }]), await summary([{ id: 1, traits: {} }])]
    expect(none.count).to.equal(1)
    expect(none.digest).to.not.equal(other.digest)
  })

  it('tells of each page, and counts all', async () => {
    const told: number[] = []
    const { records } = recordsOf(pets(2 * PAGE + 1))
    const { count } = await summaryOf(records, 'pet', systemDigest, (number) => told.push(number))
    expect([count, told]).to.deep.equal([2 * PAGE + 1, [PAGE, PAGE, 1]])
  })

  it('says how two that differ are apart', async () => {
    const [few, many] = [await summary(pets(1)), await summary(pets(3))]
    expect(howApart(few, many)).to.equal('1 here, 3 there')
    expect(howApart(few, { ...few, digest: 'another' })).to.equal('their content')
  })
})

describe('the pages of records', () => {
  it('are none where there is nothing, and go on after one', async () => {
    const all = pets(PAGE + 2)
    const idsAfter = async (after?: object) => {
      const ids: number[] = []
      for await (const page of pagesOf(recordsOf(all).records, 'pet', after as Pet | undefined))
        ids.push(...page.map(({ id }) => Number(id)))
      return ids
    }
    expect(await idsAfter()).to.deep.equal(all.map(({ id }) => id))
    expect(await idsAfter(all[PAGE])).to.deep.equal([PAGE + 1])
    expect(await idsAfter(all.at(-1))).to.deep.equal([])
    for await (const _ of pagesOf(recordsOf([]).records, 'pet')) expect.fail('there is no page')
  })

  it('end with the first that is not full, without another look', async () => {
    const { records, pages } = recordsOf(pets(3))
    for await (const page of pagesOf(records, 'pet')) expect(page).to.have.lengthOf(3)
    expect(pages()).to.equal(1)
  })
})
