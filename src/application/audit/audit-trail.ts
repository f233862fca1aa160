import type { Caller } from '../../domain/access/caller.js'
import type { AuditEvent, AuditRecord, AuditRecordId } from '../../domain/audit.js'
import type { AccountId } from '../../domain/identity/account.js'
import { rateLimitKey } from '../../domain/identity/address.js'
import { type Instant, timePrefix, type TimeOrderedIds } from '../../domain/instant.js'
import { defined } from '../../domain/plain-data.js'
import { refuse, unavailable } from '../../domain/refusal.js'
import type { AuditSink } from '../../ports/audit-log.js'
import type { Clock, Digest } from '../../ports/system.js'
import type { ClientContext } from '../client-context.js'

export type AuditEntry = {
  readonly event: AuditEvent
  readonly caller: Caller
  readonly subject?: AccountId | undefined
  /** The affected object, such as `role:editor` or `apikey:3`. Never contains free text from a client. */
  readonly what?: string
  readonly outcome?: AuditRecord['outcome']
  readonly client?: ClientContext | undefined
}

export type AuditTrail = {
  /** Resolves when every sink has written the record or has failed; a failure is reported to `onLost` and does not stop the caller. */
  record(entry: AuditEntry): Promise<void>
  /** For actions that must be recorded: rejects with `unavailable` if a sink fails, and with `forbidden` if there is no sink. */
  assert(entry: AuditEntry): Promise<void>
  /**
   * For events that anyone can cause in large numbers. Entries from the same minute with the same event, actor, subject, outcome and IP
   * network share one record with a `count`, even across processes with the same store. In all other respects, works like `record`.
   */
  tally(entry: AuditEntry): Promise<void>
  /** Writes the entries that `tally` has queued; see `batched`. */
  flush(): Promise<void>
}

const MINUTE = 60_000
const UNAUDITED = 'This action is not possible without an audit log.'
/** The length of the digest in hexadecimal digits, long enough to make collisions practically impossible. */
const KIND_DIGITS = 24

/** IDs are generated here so that every sink receives the same ID. */
export function createAuditTrail(parts: {
  /** The sinks, each of which receives every record, for example the `audit` of a store and a log; empty to disable auditing. */
  sinks: readonly AuditSink[]
  /** The name of the command line operator, such as the operating system user. */
  operator: string
  timeOrderedIds: TimeOrderedIds
  digest: Digest
  clock: Clock
  /**
   * If `true`, `tally` immediately writes only the first entry of a shared record and queues all others for the next `flush`. The program
   * must then call `flush` every few seconds and at shutdown.
   */
  batched?: boolean | undefined
  /** Receives the error of a sink that failed to write a record. */
  onLost?: ((error: unknown) => void) | undefined
}): AuditTrail {
  const { sinks, operator, clock, onLost } = parts

  const batch = createAuditBatch(append)

  function recordOf({ event, caller, subject, what, outcome = 'success', ...from }: AuditEntry): AuditRecord {
    const at = clock()
    const client = from.client ?? ('client' in caller ? caller.client : undefined)
    const actorId = actingAccount(caller)
    const subjects = [subject === undefined ? [] : [`account:${subject}`], what ?? []].flat()
    return {
      id: parts.timeOrderedIds(at) as AuditRecordId,
      at,
      event,
      actor: actorId === undefined ? nameOf(caller, operator) : `account:${actorId}`,
      ...(subjects.length > 0 && { subject: subjects.join(' ') }),
      ...defined({ address: client?.address, requestId: client?.requestId }),
      outcome,
      accounts: [...new Set([actorId ?? [], subject ?? []].flat())],
    }
  }

  async function append(record: AuditRecord): Promise<void> {
    const outcomes = await Promise.allSettled(sinks.map(async (sink) => await sink.append(record)))
    for (const one of outcomes) {
      if (one.status === 'rejected') onLost?.(one.reason)
    }
  }

  /** Reports an error, for example of a custom clock, as a lost record, because the recorded action cannot be undone. */
  async function orLost(write: () => Promise<void>): Promise<void> {
    try {
      await write()
    } catch (error) {
      onLost?.(error)
    }
  }

  return {
    async record(entry) {
      if (sinks.length > 0) await orLost(() => append(recordOf(entry)))
    },
    async tally(entry) {
      if (sinks.length === 0) return
      await orLost(() => {
        const shared = countedRecord(recordOf(entry), parts.digest)
        return parts.batched ? batch.add(shared) : append(shared)
      })
    },
    flush: () => batch.flush(),
    async assert(entry) {
      if (sinks.length === 0) throw refuse('forbidden', 'Forbidden', UNAUDITED, 'there is no audit log')
      const record = recordOf(entry)
      try {
        await Promise.all(sinks.map(async (sink) => await sink.append(record, true)))
      } catch (error) {
        throw unavailable('The audit record could not be written.', error)
      }
    },
  }
}

/** Every process computes the same key for the same kind of event. */
function countedRecord(record: AuditRecord, digest: Digest): CountedRecord {
  const { event, actor, subject = '', outcome, address } = record
  const kind = digest()
  for (const text of [event, actor, subject, outcome, rateLimitKey(address) ?? '']) kind.update(text)
  const minute: Instant = Math.floor(record.at / MINUTE) * MINUTE
  return { ...record, count: 1, countKey: `${timePrefix(minute)}${kind.end().slice(0, KIND_DIGITS)}` }
}

/** The account that acts; during an impersonation, this is the actor. */
function actingAccount(caller: Caller): AccountId | undefined {
  if (caller.kind !== 'account') return undefined
  return caller.actor?.accountId ?? caller.accountId
}

function nameOf(caller: Caller, operator: string): string {
  if (caller.kind === 'cli') return `cli:${operator}`
  return caller.kind === 'api-key' ? `apikey:${caller.apiKeyId}` : 'anonymous'
}

export type CountedRecord = AuditRecord & { readonly count: number; readonly countKey: string }

/** The maximum number of queued keys, in case attackers use many addresses; once it is reached, each event is written immediately. */
const MOST = 1_000
/** The maximum number of concurrent writes; with more writes, the last write would wait too long for a connection. */
const TOGETHER = 200

/**
 * Combines many events into few writes: writes the first record with each key immediately, and queues later records with the same key until
 * the next `flush`. If the process dies before `flush`, these events are lost. `append` must not reject.
 */
export function createAuditBatch(append: (record: AuditRecord) => Promise<void>) {
  const added = new Map<string, CountedRecord>()
  let writing = Promise.resolve()

  async function writeAll(): Promise<void> {
    const due = [...added.values()].filter(({ count }) => count > 0)
    added.clear()
    for (let begin = 0; begin < due.length; begin += TOGETHER)
      await Promise.all(due.slice(begin, begin + TOGETHER).map(append))
  }

  return {
    async add(record: CountedRecord): Promise<void> {
      const known = added.get(record.countKey)
      if (known) {
        added.set(record.countKey, { ...known, count: known.count + record.count })
        return
      }
      if (added.size < MOST) added.set(record.countKey, { ...record, count: 0 })
      await append(record)
    },
    flush: (): Promise<void> => (writing = writing.then(writeAll)),
  }
}
