import type { AuditEvent, AuditRecord, AuditRecordId } from '../domain/audit.js'
import type { AccountId } from '../domain/identity/account.js'
import type { Instant } from '../domain/instant.js'
import type { PageOrder } from '../domain/page-limit.js'

/**
 * Receives audit records as they happen: a store, a log, a queue of the application. `append` resolves when the record is
 * as safe as the sink can make it, and otherwise rejects.
 */
export type AuditSink = {
  /**
   * Called once for each record, also concurrently. The counts of records with one `countKey` add up; everything else
   * comes from the first of these records. If `isRequired` is `true` and the call rejects, the recorded action is refused.
   */
  append(record: AuditRecord, isRequired?: boolean): Promise<void>
}

/** One page of the log, at most `limit` records. Filters are combined with AND. */
export type AuditPageRequest = {
  /** Records in which this account acted or was acted on. */
  readonly accountId?: AccountId
  readonly event?: AuditEvent
  /** Records from this moment on. */
  readonly since?: Instant
  /** The last record of the previous page; the record may be gone. */
  readonly after?: AuditRecordId
  readonly limit: number
  /** By default the oldest record first. */
  readonly order?: PageOrder
}

/** The audit log of a store: records are added and, when they are old enough, removed; only their count changes. */
export type AuditLog = {
  /**
   * Stores the record; if a record with its `countKey` exists, only the `count` of that record grows by `record.count`.
   * Atomic: any number of callers, in any number of processes, leave one record and lose no count.
   */
  append(record: AuditRecord): Promise<void>
  /**
   * By ID, which is the order of time, or in reverse, from an index: the cost depends only on the page. A record with
   * an earlier moment may be appended later, for example by another instance; see `PageOrder`.
   */
  page(request: AuditPageRequest): Promise<readonly AuditRecord[]>
  /**
   * Removes the client data (`withoutClient`) from the records of the account with its own client (`isOfOwnClient`), for
   * good; everything else stays. Returns how many records it changed. It may take any number of steps: a record that is
   * appended meanwhile may keep its data. A second call is harmless.
   */
  forget(accountId: AccountId): Promise<number>
  /** Removes records older than that moment, the oldest first, at most `limit` in one call; returns their number. */
  purge(before: Instant, limit: number): Promise<number>
}
