import type { AuditRecord, AuditRecordId } from '../../src/domain/audit.js'
import { timePrefix } from '../../src/domain/time-ordered-ids.js'
import type { Workplace } from './app.js'
import { onStoreOf } from './workplace-store.js'

/** Seeds of the same time are ordered by their position in the list. */
export type Seed = Omit<AuditRecord, 'id'>

/** Records the seeds in the store of a workplace, in the given order. */
export async function seedAudit(place: Workplace, seeds: readonly Seed[]): Promise<void> {
  await onStoreOf(place, async ({ audit }) => {
    for (const [index, seed] of seeds.entries()) {
      const rank = String(index).padStart(6, '0')
      await audit.append({ id: `${timePrefix(seed.at)}${rank}` as AuditRecordId, ...seed })
    }
  })
}
