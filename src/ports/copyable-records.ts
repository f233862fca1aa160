import type { ApiKey, ApiKeyDigest } from '../domain/access/api-key.js'
import type { Role, RoleKey } from '../domain/access/role.js'
import type { AuditRecord } from '../domain/audit.js'
import type { Pet, PetId } from '../domain/catalogue/pet.js'
import type { Account, Epoch } from '../domain/identity/account.js'
import type { LoginRecord } from '../domain/identity/login-rotation.js'
import type { IssuedResetToken } from '../domain/identity/reset-token.js'
import type { StoredSecondFactor } from '../domain/identity/second-factor.js'
import type { Session, SessionId } from '../domain/identity/session.js'
import type { MailJob } from '../domain/mail.js'
import type { Project } from '../domain/project/project.js'
import type { Idempotency } from './pets.js'

/** The records of a store, in the one form that every store reads and writes. */
export type RecordOf = {
  readonly role: Role
  readonly account: Omit<Account, 'roles' | 'secondFactor'> & {
    readonly roles: readonly RoleKey[]
    /**
     * The newest reset tokens in the order in which they were made, in force or not, at most
     * `RESET_TOKENS_MAX`; absent if the account has no token. `epoch` is the epoch of the account when the token was made.
     */
    readonly resets?: readonly (IssuedResetToken & { readonly epoch: Epoch })[]
    readonly factor?: StoredSecondFactor
  }
  readonly session: Session
  /** A login in stateless mode: revoked, or with the pairs of tokens that it has reached. */
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
  /** The last ID that was given to a record of a kind; this record or an earlier record may be gone. */
  readonly counter: { readonly name: CounterName; readonly last: number }
}

/** A kind of records that can be copied. */
export type RecordKind = keyof RecordOf
/** Kinds whose IDs are counted up and never reused. */
export type CounterName = 'accounts' | 'apiKeys' | 'pets' | 'projects'

/** Every kind, in the order in which records are put: a record comes after the records that it refers to. */
export const RECORD_KINDS: readonly RecordKind[] = [
  ...(['role', 'account', 'session', 'revocation', 'pet', 'idempotencyKey'] as const),
  ...(['apiKey', 'project', 'mailJob', 'auditRecord', 'counter'] as const),
]

/** The state of a store that is to be the target of a copy. */
export type CopyClaim =
  /** It was empty, and is now marked as the target of this copy. */
  | 'begun'
  /** It is the target of an earlier run of the same copy, which was interrupted. */
  | 'resumed'
  /** The same copy was completed before; the store may have changed since. */
  | 'complete'
  /** It holds other data. */
  | 'occupied'
  /** It is the source itself. */
  | 'same'

/** The whole content of a store, for copying it into another store. IDs keep their meaning. */
export type CopyableRecords = {
  /** A name that no other store has, given by the first call. */
  identity(): Promise<string>
  /**
   * Equal to an earlier answer of the same object if nothing was written in between. It differs if any call of any port,
   * in this process or another process, has changed something and was acknowledged. Counts of attempts do not matter.
   * It may change without a write, for example when a primary is lost.
   */
  changeToken(): Promise<string>
  /** The number of records of a kind; ended and revoked records count too. */
  count(kind: RecordKind): Promise<number>
  /**
   * Records of a kind in the order of their IDs (keys, names; scope and key), after `after`, at
   * most `limit`. Ended sessions and revoked keys are among them.
   */
  page<Kind extends RecordKind>(
    kind: Kind,
    after: RecordOf[Kind] | undefined,
    limit: number,
  ): Promise<readonly RecordOf[Kind][]>
  /**
   * Inserts each record, or replaces the record that has its ID. A second call is harmless. `contradicted` if a record
   * has a value that must be unique (an email, a digest) or names an unknown role;
   * then this record and any of the others may be missing.
   */
  put<Kind extends RecordKind>(
    kind: Kind,
    records: readonly RecordOf[Kind][],
  ): Promise<'put' | 'contradicted'>
  /** Removes the records with the IDs of these records, counters too. A missing record is no error. */
  remove<Kind extends RecordKind>(kind: Kind, records: readonly RecordOf[Kind][]): Promise<void>
  /** Atomic: only the first of two copies into one empty store begins. `source` is the identity of the other store. */
  claim(source: string): Promise<CopyClaim>
  /** Marks the copy of that source as complete. */
  complete(source: string): Promise<void>
}
