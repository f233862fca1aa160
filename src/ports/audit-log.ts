import type { AuditEvent, AuditRecord, AuditRecordId } from '../domain/audit.js'
import type { AccountId } from '../domain/identity/account.js'
import type { Instant } from '../domain/instant.js'
import type { PageOrder } from './page-order.js'

/**
 * Takes audit records as they happen: a store, a log, a queue of the application's. When `append`
 * resolves the record is kept as safely as the sink keeps anything; it rejects where it is not.
 */
export type AuditSink = {
  /**
   * Called once for each record, and for several at once. Where several have one `countKey` their
   * counts add up, and the first of them tells the rest.
   */
  append(record: AuditRecord): Promise<void>
}

/** One page of the log. Conditions hold together; `limit` is the most records that it has. */
export type AuditPageRequest = {
  /** Records of this account, whether it acted or was acted on. */
  readonly accountId?: AccountId
  readonly event?: AuditEvent
  /** Records of this moment and later. */
  readonly since?: Instant
  /** The last record of the page before; it need not be there any more. */
  readonly after?: AuditRecordId
  readonly limit: number
  /** The oldest first unless said otherwise. */
  readonly order?: PageOrder
}

/** The audit log of a store: records are added, never changed but in their count, and go when their time is over. */
export type AuditLog = {
  /**
   * Keeps the record; where one with its `countKey` is there, that one's `count` grows by
   * `record.count` instead, and nothing else in it changes. Atomic: of any number of callers, in any
   * number of processes, one record is kept and no count is lost.
   */
  append(record: AuditRecord): Promise<void>
  /**
   * In the order of ids, which is that of time, or the reverse, from an index: the cost is that of the page. A record
   * whose moment is earlier may be appended later, by another instance say; see `PageOrder` for what a walk shows.
   */
  page(request: AuditPageRequest): Promise<readonly AuditRecord[]>
  /**
   * Takes what tells of the client (`withoutClient`) from the account's records that tell of its own one (`isOfOwnClient`), for
   * good; all else of them stays, and so do all others. Returns how many it changed. Record by record, in as many steps as the store
   * wants: one that is appended meanwhile may keep what it has. Twice is harmless.
   */
  forget(accountId: AccountId): Promise<number>
  /** Removes records older than that moment, the oldest first; returns how many. At most `limit` in one call. */
  purge(before: Instant, limit: number): Promise<number>
}
