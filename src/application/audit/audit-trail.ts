import type { Caller } from '../../domain/access/caller.js'
import type { AuditEvent, AuditRecord, AuditRecordId } from '../../domain/audit.js'
import { rateLimitKey } from '../../domain/identity/rate-limit-key.js'
import type { AccountId } from '../../domain/identity/account.js'
import type { Instant } from '../../domain/instant.js'
import { refuse, unavailable } from '../../domain/refusal.js'
import { timePrefix } from '../../domain/time-ordered-id.js'
import type { AuditSink } from '../../ports/audit-log.js'
import type { Clock } from '../../ports/clock.js'
import type { Digest } from '../../ports/digest.js'
import type { ClientContext } from '../client-context.js'
import type { TimeOrderedIds } from '../time-ordered-ids.js'
import { createAuditBatch, type Counted } from './audit-batch.js'

/** What a use case has to say for the record. */
export type AuditEntry = {
  readonly event: AuditEvent
  readonly caller: Caller
  /** The account that was acted on. */
  readonly subject?: AccountId | undefined
  /** What of it, or what instead of one: `role:editor`, `apikey:3`. Never a text that a client chose freely. */
  readonly what?: string
  readonly outcome?: AuditRecord['outcome']
  readonly client?: ClientContext | undefined
}

/** Where use cases record what they did. */
export type AuditTrail = {
  /** Resolves when every sink has the record or has failed; a failure is told to `onLost` and stops no caller. */
  record(entry: AuditEntry): Promise<void>
  /**
   * For what must not happen off the record: rejects with `unavailable` where a sink fails, and with
   * `forbidden` where there is none.
   */
  assert(entry: AuditEntry): Promise<void>
  /**
   * For what a stranger can cause as often as he likes: all entries of one minute that are of the same
   * event, actor, subject, outcome and address network share one record with a `count`, also those of
   * other processes with the same store. Else as `record`.
   */
  tally(entry: AuditEntry): Promise<void>
  /** Writes what `tally` holds back; see `batched`. */
  flush(): Promise<void>
}

const MINUTE = 60_000
/** Of a digest in hexadecimal: enough that no two kinds of one minute ever share a record. */
const KIND_DIGITS = 24

/** Ids are made here, so that every sink has the same one. */
export function createAuditTrail(parts: {
  /** All get every record, for instance a store's `audit` and a log; none where nothing is audited. */
  sinks: readonly AuditSink[]
  /** What the operator at the command line is called: the user of the operating system, say. */
  operator: string
  timeOrderedIds: TimeOrderedIds
  digest: Digest
  clock: Clock
  /**
   * Whether `tally` writes the first entry of a shared record only, and all further ones with the next
   * `flush`, which then has to be called every few seconds and at the end. Else each is written at once.
   */
  batched?: boolean | undefined
  /** Is told of a record that a sink did not take. */
  onLost?: ((error: unknown) => void) | undefined
}): AuditTrail {
  const { sinks, operator, clock, onLost } = parts

  const batch = createAuditBatch(append)

  function recordOf({ event, caller, subject, what, outcome = 'success', client }: AuditEntry): AuditRecord {
    const at = clock()
    const actorId = actingAccount(caller)
    const subjects = [subject === undefined ? [] : [`account:${subject}`], what ?? []].flat()
    return {
      id: parts.timeOrderedIds(at) as AuditRecordId,
      at,
      event,
      actor: actorId === undefined ? nameOf(caller, operator) : `account:${actorId}`,
      ...(subjects.length > 0 && { subject: subjects.join(' ') }),
      ...(client?.address !== undefined && { address: client.address }),
      ...(client?.requestId !== undefined && { requestId: client.requestId }),
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

  return {
    async record(entry) {
      if (sinks.length > 0) await append(recordOf(entry))
    },
    async tally(entry) {
      if (sinks.length === 0) return
      const shared = counted(recordOf(entry), parts.digest)
      await (parts.batched ? batch.add(shared) : append(shared))
    },
    flush: () => batch.flush(),
    async assert(entry) {
      if (sinks.length === 0) throw refuse('forbidden', 'Forbidden', NOT_ON_RECORD, 'there is no audit log')
      const record = recordOf(entry)
      try {
        await Promise.all(sinks.map(async (sink) => await sink.append(record)))
      } catch (error) {
        throw unavailable('The audit record could not be written.', error)
      }
    },
  }
}

const NOT_ON_RECORD = 'This action is not possible without an audit log.'

/** Every process gives what belongs together the same key. */
function counted(record: AuditRecord, digest: Digest): Counted {
  const { event, actor, subject = '', outcome, address } = record
  const kind = digest()
  for (const text of [event, actor, subject, outcome, rateLimitKey(address) ?? '']) kind.update(text)
  const minute: Instant = Math.floor(record.at / MINUTE) * MINUTE
  return { ...record, count: 1, countKey: `${timePrefix(minute)}${kind.end().slice(0, KIND_DIGITS)}` }
}

/** The person behind it: during an impersonation the one who acts. */
function actingAccount(caller: Caller): AccountId | undefined {
  if (caller.kind !== 'account') return undefined
  return caller.actor?.accountId ?? caller.accountId
}

function nameOf(caller: Caller, operator: string): string {
  if (caller.kind === 'cli') return `cli:${operator}`
  return caller.kind === 'api-key' ? `apikey:${caller.apiKeyId}` : 'anonymous'
}
