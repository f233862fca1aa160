import type { AuditEvent, AuditRecord, AuditRecordId } from '../domain/audit.js'
import type { AccountId } from '../domain/identity/account.js'
import type { Instant } from '../domain/instant.js'
import type { PageOrder } from '../domain/page-limit.js'

/**
 * Receives audit records immediately, for example to store, log or queue them. `append` resolves when the record is as
 * durable as the sink can make it, and otherwise rejects.
 */
export type AuditSink = {
  /**
   * Called once for each record; calls may be concurrent. For records with the same `countKey`, the sink may add up the counts and keep
   * only the first record. If `isRequired` is `true` and the call rejects, the action to be recorded is refused.
   */
  append(record: AuditRecord, isRequired?: boolean): Promise<void>
}

/** A request for one page of the log with at most `limit` records. The filters are combined with AND. */
export type AuditPageRequest = {
  /** Only records of actions by this account or on this account. */
  readonly accountId?: AccountId
  readonly event?: AuditEvent
  /** Only records from this time or later. */
  readonly since?: Instant
  /** The last record of the previous page; the record may have been removed. */
  readonly after?: AuditRecordId
  readonly limit: number
  /** `oldest-first` by default. */
  readonly order?: PageOrder
}

/** The audit log of a store. After a record is added, only its `count` can change until the record is removed. */
export type AuditLog = {
  /**
   * Stores the record. If a record with the same `countKey` exists, the call only adds `record.count` to the `count` of the existing record.
   * Atomic: concurrent calls, even from several processes, leave one record and lose no counts.
   */
  append(record: AuditRecord): Promise<void>
  /**
   * Returns records in the order of their IDs, which is chronological, or in reverse order. Uses an index, so that the cost depends only on
   * the size of the page. Another instance may later append a record with an earlier time; see `PageOrder`.
   */
  page(request: AuditPageRequest): Promise<readonly AuditRecord[]>
  /**
   * Permanently removes the client's data (`withoutClient`) from the account's records, but only if the client was the account's own
   * (`isOfOwnClient`). Returns the number of changed records. Need not be atomic: a record that is appended in the meantime may keep the
   * client's data. A second call is harmless.
   */
  forget(accountId: AccountId): Promise<number>
  /** Removes at most `limit` records older than `before`, the oldest first; returns the number removed. */
  purge(before: Instant, limit: number): Promise<number>
}
