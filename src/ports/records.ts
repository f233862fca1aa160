import type { ApiKeyDigest, ApiKeyId } from '../domain/access/api-key.js'
import type { Role, RoleKey } from '../domain/access/role.js'
import type { Pet, PetId } from '../domain/catalogue/pet.js'
import type { AuditRecord } from '../domain/audit.js'
import type { Account, Epoch } from '../domain/identity/account.js'
import type { LoginRecord } from '../domain/identity/login-rotation.js'
import type { IssuedResetToken } from '../domain/identity/reset-token.js'
import type { StoredSecondFactor } from '../domain/identity/second-factor.js'
import type { Session, SessionId } from '../domain/identity/session.js'
import type { MailJob } from '../domain/mail.js'
import type { Instant } from '../domain/instant.js'
import type { Project } from '../domain/project/project.js'

/** What a store holds, in the one form that all stores read and write alike. */
export type RecordOf = {
  readonly role: Role
  readonly account: Omit<Account, 'roles' | 'secondFactor'> & {
    readonly roles: readonly RoleKey[]
    /**
     * The newest reset tokens in the order in which they were made, in force or not, at most
     * `RESET_TOKENS_MAX` and none left out as an empty array; `epoch` is the account's of then.
     */
    readonly resets?: readonly (IssuedResetToken & { readonly epoch: Epoch })[]
    readonly factor?: StoredSecondFactor
  }
  readonly session: Session
  /** Of a login in stateless mode: that it is revoked, or which pairs of tokens it has come to. */
  readonly revocation: LoginRecord & { readonly sessionId: SessionId }
  readonly pet: Pet
  readonly idempotencyKey: {
    readonly scope: string
    readonly key: string
    readonly fingerprint: string
    readonly petId: PetId
    readonly until: Instant
  }
  readonly apiKey: {
    readonly id: ApiKeyId
    readonly name: string
    readonly digest: ApiKeyDigest
    readonly roles: readonly RoleKey[]
    readonly createdAt: Instant
    readonly revokedAt?: Instant
    readonly expiresAt?: Instant
    readonly lastUsedAt?: Instant
  }
  readonly project: Project
  readonly mailJob: MailJob
  readonly auditRecord: AuditRecord
  /** The last id of a kind that was given out; whatever has it or a smaller one may be gone. */
  readonly counter: { readonly name: CounterName; readonly last: number }
}

/** A kind of records that can be copied. */
export type RecordKind = keyof RecordOf
/** What has ids that are counted up and never reused. */
export type CounterName = 'accounts' | 'apiKeys' | 'pets' | 'projects'

/** Every kind, in the order in which they have to be put: what is referred to comes first. */
export const RECORD_KINDS: readonly RecordKind[] = [
  'role',
  'account',
  'session',
  'revocation',
  'pet',
  'idempotencyKey',
  'apiKey',
  'project',
  'mailJob',
  'auditRecord',
  'counter',
]

/** How a store stands to a copy that is to be made into it. */
export type CopyClaim =
  /** It was empty, and is marked as the target of this copy now. */
  | 'begun'
  /** It is the target of an earlier run of the same copy, which did not come to its end. */
  | 'resumed'
  /** The same copy was completed before; the store may have lived on since. */
  | 'complete'
  /** It holds other data. */
  | 'occupied'
  /** It is the source itself. */
  | 'same'

/** The content of a store, whole, for copying it into another one. What ids mean stays as it is. */
export type Records = {
  /** A name that no other store has, given when it is first asked for. */
  identity(): Promise<string>
  /**
   * Equal to an earlier answer of the same object where nothing was written in between; another one
   * where any call of any port, in this process or another, has changed something and was
   * acknowledged. Counts of attempts are none of it. May change without a write, as after the loss of
   * a primary.
   */
  changeToken(): Promise<string>
  /** All of a kind, ended and revoked ones too. */
  count(kind: RecordKind): Promise<number>
  /**
   * Records of a kind in the order of their ids (keys, names; scope and key), after `after`, at
   * most `limit`. Ended sessions and revoked keys are among them.
   */
  page<Kind extends RecordKind>(
    kind: Kind,
    after: RecordOf[Kind] | undefined,
    limit: number,
  ): Promise<readonly RecordOf[Kind][]>
  /**
   * Inserts each, or puts it in the place of the one with its id. Twice is harmless. `contradicted`
   * where one has what only one may have (an email, a digest) or names a role that is not there;
   * then it and any of the others may be missing.
   */
  put<Kind extends RecordKind>(
    kind: Kind,
    records: readonly RecordOf[Kind][],
  ): Promise<'put' | 'contradicted'>
  /** Takes away those with the ids of these, a counter too. One that is not there is no error. */
  remove<Kind extends RecordKind>(kind: Kind, records: readonly RecordOf[Kind][]): Promise<void>
  /** Atomic: of two copies into one empty store one begins. `source` is the identity of the other store. */
  claim(source: string): Promise<CopyClaim>
  /** From now on the copy of that source is complete. */
  complete(source: string): Promise<void>
}
