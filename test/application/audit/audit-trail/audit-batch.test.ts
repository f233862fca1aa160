import { expect } from 'chai'
import { createAuditBatch, type CountedRecord } from '../../../../src/application/audit/audit-trail.js'
import type { AuditRecord, AuditRecordId } from '../../../../src/domain/audit.js'

function record(countKey: string, count = 1): CountedRecord {
  const id = `id of ${countKey}` as AuditRecordId
  return { id, at: 0, event: 'login', actor: 'anonymous', outcome: 'failure', accounts: [], count, countKey }
}

describe('a batch of audit records', () => {
  let written: AuditRecord[]
  let batch: ReturnType<typeof createAuditBatch>
  beforeEach(() => {
    written = []
    batch = createAuditBatch(async (one) => {
      written.push(one)
    })
  })
  const counts = () => written.map(({ countKey, count }) => `${String(countKey)} ${String(count)}`)

  it('writes the first record of a key immediately, and the sum of later records on flush', async () => {
    await batch.add(record('a'))
    await batch.add(record('a'))
    await batch.add(record('b'))
    await batch.add(record('a', 5))
    expect(counts()).to.deep.equal(['a 1', 'b 1'])
    await batch.flush()
    expect(counts()).to.deep.equal(['a 1', 'b 1', 'a 6'])
  })

  it('remembers a thousand keys, and writes each record with any other key immediately', async () => {
    for (let key = 0; key < 1_000; key += 1) await batch.add(record(`key ${key}`))
    written.length = 0
    await batch.add(record('one more'))
    await batch.add(record('one more'))
    await batch.add(record('key 0'))
    expect(counts()).to.deep.equal(['one more 1', 'one more 1'])
    await batch.flush()
    expect(counts()).to.deep.equal(['one more 1', 'one more 1', 'key 0 1'])
  })

  for (const [keys, most] of [
    [150, 150],
    [1_000, 200],
  ] as const)
    it(`writes ${keys} records on flush, at most 200 at a time`, async () => {
      let [underWay, highest, count] = [0, 0, 0]
      const many = createAuditBatch(async () => {
        underWay += 1
        count += 1
        highest = Math.max(highest, underWay)
        await new Promise(setImmediate)
        underWay -= 1
      })
      for (let key = 0; key < 2 * keys; key += 1) await many.add(record(`key ${key % keys}`))
      ;[highest, count] = [0, 0]
      await many.flush()
      expect([count, highest]).to.deep.equal([keys, most])
    })

  it('resolves a flush only after the writes of any earlier flush are complete', async () => {
    const ends: (() => void)[] = []
    const slow = createAuditBatch(
      (one) =>
        new Promise((resolve) => {
          written.push(one)
          if (one.count === 1) resolve()
          else ends.push(resolve)
        }),
    )
    await slow.add(record('a'))
    await slow.add(record('a', 2))
    let flushed = 0
    const both = [slow.flush(), slow.flush()].map((flush) => flush.then(() => (flushed += 1)))
    while (ends.length === 0) await Promise.resolve()
    for (let turn = 0; turn < 20; turn += 1) await Promise.resolve()
    expect(flushed).to.equal(0)
    for (const end of ends) end()
    await Promise.all(both)
    expect([flushed, counts()]).to.deep.equal([2, ['a 1', 'a 2']])
  })
})
