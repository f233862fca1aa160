import type { AuditRecord } from '../../domain/audit.js'

/** Records that share keys: only the first of each key is written immediately. */
export type AuditBatch = {
  /** Resolves when the record is written, or added to the next `flush`. */
  add(record: Counted): Promise<void>
  /** Writes all added records; when it resolves, none is waiting. */
  flush(): Promise<void>
}

export type Counted = AuditRecord & { readonly count: number; readonly countKey: string }

/** A bound for attackers with many addresses; beyond it each event is written immediately. */
const MOST = 1_000
/** Concurrent writes: with more, the last would wait too long for a connection. */
const TOGETHER = 200

/**
 * Keeps a flood of events from becoming a flood of writes. The records since the last `flush` are lost with the process.
 * `append` must not reject.
 */
export function createAuditBatch(append: (record: AuditRecord) => Promise<void>): AuditBatch {
  const added = new Map<string, Counted>()
  let writing = Promise.resolve()

  async function writeAll(): Promise<void> {
    const due = [...added.values()].filter(({ count }) => count > 0)
    added.clear()
    for (let begin = 0; begin < due.length; begin += TOGETHER)
      await Promise.all(due.slice(begin, begin + TOGETHER).map(append))
  }

  return {
    async add(record) {
      const known = added.get(record.countKey)
      if (known) {
        added.set(record.countKey, { ...known, count: known.count + record.count })
        return
      }
      if (added.size < MOST) added.set(record.countKey, { ...record, count: 0 })
      await append(record)
    },
    flush: () => (writing = writing.then(writeAll)),
  }
}
