import { expect } from 'chai'
import { createPurgeExpired } from '../../../src/application/purge-expired.js'
import { createTimeOrderedIds } from '../../../src/application/time-ordered-ids.js'
import { systemRandomness } from '../../../src/adapters/system/index.js'
import type { AuditRecord, AuditRecordId } from '../../../src/domain/audit.js'
import { START } from '../../support/use-cases.js'
import { createMemoryStore } from '../../../src/adapters/memory/store.js'
import type { Store } from '../../../src/ports/store.js'

const DAY = 86_400_000
const BATCH = 500

describe('audit records', () => {
  let store: Store
  const idOf = createTimeOrderedIds({ randomness: systemRandomness })
  beforeEach(() => {
    store = createMemoryStore()
  })

  const recordAt = (at: number): AuditRecord => ({
    ...{ id: idOf(at) as AuditRecordId, at, event: 'login', actor: 'anonymous' },
    ...{ outcome: 'failure', accounts: [] },
  })
  /** Purges at START with this retention; returns the number of removed records and the times of the others. */
  const purge = async (auditRetention?: number) => {
    const purgeExpired = createPurgeExpired({
      ...store,
      auditLog: store.audit,
      auditRetention,
      clock: () => START,
    })
    const removed = await purgeExpired()
    const left = await store.audit.page({ limit: 2_000 })
    return { removed, left: left.map(({ at }) => at - START) }
  }
  const append = async (...ages: readonly number[]) => {
    for (const age of ages) await store.audit.append(recordAt(START - age))
  }

  it('are removed when they are older than the retention, to the millisecond', async () => {
    await append(3 * DAY, DAY + 1, DAY, DAY - 1, 0)
    expect(await purge(DAY)).to.deep.equal({ removed: 2, left: [-DAY, 1 - DAY, 0] })
    expect(await purge(DAY)).to.deep.equal({ removed: 0, left: [-DAY, 1 - DAY, 0] })
  })

  it('are removed in batches, however many there are', async () => {
    const ages = Array.from({ length: 2 * BATCH + 3 }, (_, n) => 2 * DAY + n)
    await Promise.all(ages.map((age) => append(age)))
    await append(0)
    const limits: number[] = []
    const { audit } = store
    const counting = {
      ...audit,
      purge: (before: number, limit: number) => {
        limits.push(limit)
        return audit.purge(before, limit)
      },
    }
    const parts = { ...store, auditLog: counting, auditRetention: DAY, clock: () => START }
    expect(await createPurgeExpired(parts)()).to.equal(2 * BATCH + 3)
    expect(limits).to.deep.equal([BATCH, BATCH, BATCH])
    expect(await purge(DAY)).to.deep.equal({ removed: 0, left: [0] })
  })
})
