import { openMongo } from '../../src/adapters/mongodb/store.js'
import { openSqlite } from '../../src/adapters/sqlite/store.js'
import type { AuditRecord, AuditRecordId } from '../../src/domain/audit.js'
import { timePrefix } from '../../src/domain/time-ordered-id.js'
import { RUNS_ON_MONGODB } from '../mongodb/server.js'
import type { Workplace } from './app.js'

/** Where one of several of a moment stands among them is its place in the list. */
export type Seed = Omit<AuditRecord, 'id'>

/** Puts these on record in the store of a workplace, in the order in which they are given. */
export async function seedAudit({ env }: Workplace, seeds: readonly Seed[]): Promise<void> {
  const url = env['DATABASE_URL'] ?? ''
  const store = RUNS_ON_MONGODB ? await openMongo(url) : await openSqlite(url.slice('sqlite:'.length))
  try {
    for (const [place, seed] of seeds.entries()) {
      const rank = String(place).padStart(6, '0')
      await store.audit.append({ id: `${timePrefix(seed.at)}${rank}` as AuditRecordId, ...seed })
    }
  } finally {
    await store.close()
  }
}
