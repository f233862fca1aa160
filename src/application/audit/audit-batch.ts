import type { AuditRecord } from '../../domain/audit.js'

/** Records that share one key, of which only the first is written at once. */
export type AuditBatch = {
  /** Resolves when the record is written, or added to what is written with the next `flush`. */
  add(record: Counted): Promise<void>
  /** Writes what was added since. When it resolves nothing waits any more. */
  flush(): Promise<void>
}

/** A record of events that were counted. */
export type Counted = AuditRecord & { readonly count: number; readonly countKey: string }

/** What an attacker with many addresses can make us keep; beyond it each event is written at once. */
const MOST = 1_000
/** Written concurrently: more would wait for a connection longer than a call of a store may take. */
const TOGETHER = 200

/**
 * Keeps a flood of events from becoming a flood of writes. What was added since the last `flush` is
 * lost with the process. `append` must not reject.
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
