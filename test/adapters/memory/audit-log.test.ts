import { expect } from 'chai'
import { createMemoryStore } from '../../../src/adapters/memory/index.js'
import type { AuditRecord, AuditRecordId } from '../../../src/domain/audit.js'
import { timePrefix } from '../../../src/domain/time-ordered-ids.js'

const AT = 1_700_000_000_000

function counted(countKey: string, at: number): AuditRecord {
  const id = `${timePrefix(at)}${countKey}` as AuditRecordId
  return { id, at, event: 'login', actor: 'anonymous', outcome: 'failure', accounts: [], count: 1, countKey }
}

describe('the audit log in memory', () => {
  it('adds to any unpurged record of the key, not only to the newest record', async () => {
    const { audit } = createMemoryStore()
    const counts = async () =>
      (await audit.page({ limit: 10 })).map(({ countKey, count }) => [countKey, count])
    for (const [key, at] of [
      ['b', 2],
      ['a', 1],
      ['c', 3],
      ['a', 4],
      ['b', 5],
    ] as const)
      await audit.append(counted(key, AT + at))
    expect(await counts()).to.deep.equal([
      ['a', 2],
      ['b', 2],
      ['c', 1],
    ])
    expect(await audit.purge(AT + 2, 10)).to.equal(1)
    await audit.append(counted('a', AT + 6))
    expect(await counts()).to.deep.equal([
      ['b', 2],
      ['c', 1],
      ['a', 1],
    ])
  })
})
