import type { ApiKey, ApiKeyDigest } from '../domain/access/api-key.js'
import type { Role, RoleKey } from '../domain/access/role.js'
import type { AuditRecord } from '../domain/audit.js'
import type { Pet, PetId } from '../domain/catalogue/pet.js'
import type { Account } from '../domain/identity/account.js'
import type { LoginRecord } from '../domain/identity/rotation.js'
import type { Passkey } from '../domain/identity/passkey.js'
import type { Proof } from '../domain/identity/proof.js'
import type { StoredSecondFactor } from '../domain/identity/second-factor.js'
import type { Session, SessionId } from '../domain/identity/session.js'
import type { MailJob } from '../domain/mail.js'
import type { Project } from '../domain/project/project.js'
import type { Idempotency } from './pets.js'

/** The form of each kind of record, the same for all stores. */
export type RecordOf = {
  readonly role: Role
  readonly account: Omit<Account, 'roles' | 'secondFactor'> & {
    readonly roles: readonly RoleKey[]
    readonly factor?: StoredSecondFactor
    /** In the order of `Passkeys.listOf`; absent if the account has none. */
    readonly passkeys?: readonly Omit<Passkey, 'accountId'>[]
  }
  readonly proof: Proof
  readonly session: Session
  /** A stateless login that was revoked or refreshed. */
  readonly revocation: LoginRecord & { readonly sessionId: SessionId }
  readonly pet: Pet
  readonly idempotencyKey: Omit<Idempotency, 'at'> & { readonly petId: PetId }
  readonly apiKey: Omit<ApiKey, 'roles'> & {
    readonly digest: ApiKeyDigest
    readonly roles: readonly RoleKey[]
  }
  readonly project: Project
  readonly mailJob: MailJob
  readonly auditRecord: AuditRecord
  /** The last ID assigned to a record of this kind; the record may have been removed. */
  readonly counter: { readonly name: CounterName; readonly last: number }
}

/** A kind of record that a store can copy. */
export type RecordKind = keyof RecordOf
/** Kinds of records whose IDs come from a counter. */
export type CounterName = 'accounts' | 'apiKeys' | 'pets' | 'projects'

/** All kinds of records, in the order in which `put` is called: each record is put after the records it refers to. */
export const RECORD_KINDS: readonly RecordKind[] = [
  ...(['role', 'account', 'proof', 'session', 'revocation', 'pet', 'idempotencyKey'] as const),
  ...(['apiKey', 'project', 'mailJob', 'auditRecord', 'counter'] as const),
]

/** The state of a store that is the intended target of a copy. */
export type CopyClaim =
  /** The store was empty and is now marked as the target of this copy. */
  | 'begun'
  /** The store is the target of an earlier run of this copy, which was interrupted. */
  | 'resumed'
  /** This copy was completed before; the store may have changed since. */
  | 'complete'
  /** The store contains other data. */
  | 'occupied'
  /** The store is the source itself. */
  | 'same'

/** The complete content of a store, for copying it to another store. Records keep their IDs. */
export type CopyableRecords = {
  /** Returns a unique name for this store; the first call assigns the name. */
  identity(): Promise<string>
  /**
   * Returns the same value as an earlier call on the same object if nothing was written between the two calls. Returns a different value if
   * any acknowledged call of any port, in any process, has changed anything other than attempt counts. The value may also change without a
   * write, for example after a failover of the database.
   */
  changeToken(): Promise<string>
  /** Returns the number of records of a kind, including ended and revoked records. */
  count(kind: RecordKind): Promise<number>
  /**
   * Returns at most `limit` records of a kind after `after`, including ended sessions and revoked keys, in the order of their IDs (or keys,
   * names, or scope and key).
   */
  page<Kind extends RecordKind>(
    kind: Kind,
    after: RecordOf[Kind] | undefined,
    limit: number,
  ): Promise<readonly RecordOf[Kind][]>
  /**
   * Inserts each record, or replaces the record with the same ID. A second call is harmless. Returns `contradicted` if a unique value of a
   * record (an email, a digest, the ID of a passkey) already exists, or if the role of a record does not exist. After `contradicted`, some
   * of the records may have been written.
   */
  put<Kind extends RecordKind>(
    kind: Kind,
    records: readonly RecordOf[Kind][],
  ): Promise<'put' | 'contradicted'>
  /** Removes the records, including counters, that have the same IDs as the given records. Ignores missing records. */
  remove<Kind extends RecordKind>(kind: Kind, records: readonly RecordOf[Kind][]): Promise<void>
  /** Atomic: of two concurrent copies into one empty store, only one begins. `source` is the identity of the source store. */
  claim(source: string): Promise<CopyClaim>
  /** Marks the copy from this source as complete. */
  complete(source: string): Promise<void>
}
