import type { AuditRecord, AuditRecordId } from '../../domain/audit.js'
import type { AccountId } from '../../domain/identity/account.js'
import type { AuditPageRequest } from '../../ports/audit-log.js'
import type { Store } from '../../ports/store.js'
import { anAuditRecord, NOW, SECOND } from '../samples.js'

export const [ANN, BOB] = [7, 8] as readonly number[] as readonly [AccountId, AccountId]

/** The first page, of everything, unless said otherwise. */
export async function pageOf(
  store: Store,
  { after, ...rest }: Partial<Omit<AuditPageRequest, 'after'>> & { after?: AuditRecordId | undefined } = {},
): Promise<readonly AuditRecord[]> {
  return await store.audit.page({ limit: 1_000, ...rest, ...(after !== undefined && { after }) })
}

/** One after the other. */
export async function appendAll(store: Store, records: readonly AuditRecord[]): Promise<void> {
  for (const record of records) await store.audit.append(record)
}

/** Of several moments, several of one; by code unit, which no language orders texts by. */
export function inOrder(): readonly AuditRecord[] {
  return [
    ...[0, 15, 16, NOW - 1].map((at) => anAuditRecord('0', { at })),
    ...['0', '00', '9', 'B', '_', 'a', 'c'].map((rank) => anAuditRecord(rank)),
    ...[NOW + 1, NOW + SECOND].map((at) => anAuditRecord('0', { at })),
  ]
}

/** The same in no order, neither the first nor the last where it was. */
export function shuffled(records: readonly AuditRecord[]): readonly AuditRecord[] {
  const even = records.filter((_, index) => index % 2 === 0)
  return [...records.filter((_, index) => index % 2 === 1).toReversed(), ...even]
}
