import type { ApiKey, ApiKeyDigest } from '../../domain/access/api-key.js'
import type { Role } from '../../domain/access/role.js'
import type { AuditRecord } from '../../domain/audit.js'
import type { Pet, PetId } from '../../domain/catalogue/pet.js'
import type { Account, Epoch } from '../../domain/identity/account.js'
import type { LoginRecord } from '../../domain/identity/rotation.js'
import type { Passkey } from '../../domain/identity/passkey.js'
import type { Proof, ProofDigest, ProofId } from '../../domain/identity/proof.js'
import type { RecoveryDigest, StoredSecondFactor } from '../../domain/identity/second-factor.js'
import type { KeyDigest, Session, SessionId } from '../../domain/identity/session.js'
import type { Instant } from '../../domain/instant.js'
import type { MailJob } from '../../domain/mail.js'
import type { Instance } from '../../domain/upgrade.js'
import type { Project } from '../../domain/project/project.js'
import type { Idempotency } from '../../ports/pets.js'
import type { SchemaMark } from '../upgrades.js'

/** A record as a collection stores it: `_id` replaces `id`. */
export type WithMongoId<T extends { readonly id: unknown }> = { _id: T['id'] } & Omit<T, 'id'>

/** A counter, or the schema version if the ID is `schema`. */
export type MetaDocument = { _id: string; value: number } & Omit<SchemaMark, 'version'> & {
    /** The time when the reservation of the caller that runs the contract steps expires. */
    contracting?: Instant
  }

export type InstanceDocument = WithMongoId<Instance>

type FormerResetToken = { digest: ProofDigest; until: Instant; mailJobId: ProofId; epoch: Epoch }

/** Contains complete roles, which never change, so that loading an account needs only one read. */
export type AccountDocument = WithMongoId<Omit<Account, 'secondFactor'>> & {
  /** Reset tokens of release 0.8.0; see `adoptResetTokens`. */
  resets?: FormerResetToken[]
  reset?: object
  /** The second factor, which has no recovery codes until it is confirmed. */
  factor?: Omit<StoredSecondFactor, 'recovery'> & { recovery?: RecoveryDigest[] }
  passkeys?: Omit<Passkey, 'accountId'>[]
}

export type RoleDocument = { _id: Role['key'] } & Omit<Role, 'key'> & {
    /** Marker that a removal sets before it checks whether accounts have the role. Assigning the role to an account clears the marker. */
    removing?: string
  }

export type SessionDocument = WithMongoId<Session> & {
  /** The earlier of the times `endsAt` and `current.idleEndsAt`. */
  expiresAt: Instant
  /** Digests of the current and the previous key in one array, so that one index finds both. */
  digests: KeyDigest[]
  /** Position among the sessions that were opened with a session limit; a session opened later has a higher value. */
  order?: number
}

/** A stateless login that was revoked or refreshed; the document is kept until the login's last token has expired. */
export type RevocationDocument = { _id: SessionId } & LoginRecord

/** Number of attempts under one name in the current window. Attempts counted in `held` may still be refunded. */
export type AttemptDocument = { _id: string; count: number; held?: number; until: Instant }

type IdempotencyDocument = Omit<Idempotency, 'at'>

export type PetDocument = WithMongoId<Pet> & {
  removed?: never
  /** Stored in the pet's document, so that one insert creates the pet and its idempotency key. */
  idempotency?: IdempotencyDocument
}

/** The document of a removed pet. The document is kept until the idempotency key expires, so that a repeated request gets the same ID. */
export type RemovedPetDocument = { _id: PetId; removed: true; idempotency: IdempotencyDocument }

export type ApiKeyDocument = WithMongoId<ApiKey> & { digest: ApiKeyDigest }

export const validAt = (at: Instant) => ({
  revokedAt: { $exists: false },
  expiresAt: { $not: { $lte: at } },
})

/** `claimedAt` is set while a caller uses up the proof. */
export type ProofDocument = WithMongoId<Proof> & { claimedAt?: Instant }

export type ProjectDocument = WithMongoId<Project>

export type MailDocument = WithMongoId<MailJob> & { dueAt: Instant; claimedUntil: Instant }

export type AuditDocument = WithMongoId<AuditRecord>

export function recordOf<T extends { readonly id: unknown }>({ _id, ...rest }: WithMongoId<T>): T {
  return { id: _id, ...rest } as unknown as T
}

export function documentOf<T extends { readonly id: unknown }>({ id, ...rest }: T): WithMongoId<T> {
  return { _id: id, ...rest }
}

export function accountOf({
  _id,
  reset: _,
  resets: __,
  passkeys: ___,
  factor,
  ...rest
}: AccountDocument): Account {
  return { id: _id, ...rest, ...(factor?.activeSince !== undefined && { secondFactor: factor.activeSince }) }
}

export const NOT_REMOVED = { removed: { $exists: false } } as const

/** Must not be applied to a removed pet, because the purge finds a removed pet only by its idempotency key. */
export const FREE_KEY = { $unset: { idempotency: true } } as const

/** The keys of an index that sorts pets by ID, followed by removed pets. */
export const PETS_BY_ID = { removed: 1, _id: 1 } as const

export function isPet(document: PetDocument | RemovedPetDocument): document is PetDocument {
  return document.removed === undefined
}

export function petOf({ _id, idempotency: _, removed: __, ...rest }: PetDocument): Pet {
  return { id: _id, ...rest }
}

export function petsOf(documents: readonly (PetDocument | RemovedPetDocument)[]): Pet[] {
  return documents.filter(isPet).map(petOf)
}

export function sessionOf({ _id, expiresAt: _, digests: __, order: ___, ...rest }: SessionDocument): Session {
  return { id: _id, ...rest }
}

export function documentOfSession({ id, ...rest }: Session): SessionDocument {
  const { current, previous, endsAt } = rest
  return {
    _id: id,
    ...rest,
    expiresAt: Math.min(endsAt, current.idleEndsAt),
    digests: previous ? [current.keyDigest, previous.keyDigest] : [current.keyDigest],
  }
}

export function mailJobOf({ _id, dueAt: _, claimedUntil: __, ...rest }: MailDocument): MailJob {
  return { id: _id, ...rest }
}

export function documentOfMailJob(job: MailJob): MailDocument {
  return { ...documentOf(job), dueAt: 0, claimedUntil: 0 }
}
