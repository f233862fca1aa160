import type { ApiKey, ApiKeyDigest } from '../../domain/access/api-key.js'
import type { Role } from '../../domain/access/role.js'
import type { AuditRecord } from '../../domain/audit.js'
import type { Pet, PetId } from '../../domain/catalogue/pet.js'
import type { Account, Epoch } from '../../domain/identity/account.js'
import type { LoginRecord } from '../../domain/identity/login-rotation.js'
import type { IssuedResetToken } from '../../domain/identity/reset-token.js'
import type { RecoveryDigest, StoredSecondFactor } from '../../domain/identity/second-factor.js'
import type { KeyDigest, Session, SessionId } from '../../domain/identity/session.js'
import type { Instant } from '../../domain/instant.js'
import type { MailJob } from '../../domain/mail.js'
import type { Project } from '../../domain/project/project.js'
import type { Idempotency } from '../../ports/pets.js'

export type Keyed<T extends { readonly id: unknown }> = { _id: T['id'] } & Omit<T, 'id'>

/** A counter, or the version of the schema under `schema`. */
export type MetaDocument = { _id: string; value: number }

/** Contains whole roles, which never change, so that an account needs only one read. */
export type AccountDocument = Keyed<Omit<Account, 'secondFactor'>> & {
  /** The newest reset tokens, in the order of issue. A token is valid only while the account has the same epoch. */
  resets?: (IssuedResetToken & { epoch: Epoch })[]
  /** The single reset token of the first release; issuing another token moves it to `resets`. */
  reset?: Omit<IssuedResetToken, 'mailJobId'> & { epoch: Epoch }
  /** Has no recovery codes until it is confirmed. */
  factor?: Omit<StoredSecondFactor, 'recovery'> & { recovery?: RecoveryDigest[] }
}

export type RoleDocument = { _id: Role['key'] } & Omit<Role, 'key'> & {
    /** Mark of a removal that is checking for holders. Assigning the role clears it. */
    removing?: string
  }

export type SessionDocument = Keyed<Session> & {
  /** The earlier of `endsAt` and `current.idleEndsAt`. */
  expiresAt: Instant
  /** Digests of the current and the previous key, found by one index. */
  digests: KeyDigest[]
  /** Position among sessions opened with a limit; later sessions have a greater order. */
  order?: number
}

/** A stateless login that was revoked or refreshed, kept until its last token has expired. */
export type RevocationDocument = { _id: SessionId } & LoginRecord

/** Attempts under one name in the current window. `held` attempts may still be refunded. */
export type AttemptDocument = { _id: string; count: number; held?: number; until: Instant }

type IdempotencyDocument = Omit<Idempotency, 'at'>

export type PetDocument = Keyed<Pet> & {
  removed?: never
  /** In the pet's document, so that one insert creates both. */
  idempotency?: IdempotencyDocument
}

/** Remains of a pet until its idempotency key expires, so that a repeated request gets the same ID. */
export type RemovedPetDocument = { _id: PetId; removed: true; idempotency: IdempotencyDocument }

export type ApiKeyDocument = Keyed<ApiKey> & { digest: ApiKeyDigest }

/** Selects API keys that are neither revoked nor expired. */
export const validAt = (at: Instant) => ({
  revokedAt: { $exists: false },
  expiresAt: { $not: { $lte: at } },
})

export type ProjectDocument = Keyed<Project>

export type MailDocument = Keyed<MailJob> & { dueAt: Instant; claimedUntil: Instant }

export type AuditDocument = Keyed<AuditRecord>

export function recordOf<T extends { readonly id: unknown }>({ _id, ...rest }: Keyed<T>): T {
  return { id: _id, ...rest } as unknown as T
}

export function documentOf<T extends { readonly id: unknown }>({ id, ...rest }: T): Keyed<T> {
  return { _id: id, ...rest }
}

export function accountOf({ _id, reset: _, resets: __, factor, ...rest }: AccountDocument): Account {
  return { id: _id, ...rest, ...(factor?.activeSince !== undefined && { secondFactor: factor.activeSince }) }
}

export const NOT_REMOVED = { removed: { $exists: false } } as const

/** Must not be applied to a removed pet: no purge would find it without its key. */
export const FREE_KEY = { $unset: { idempotency: true } } as const

/** Index of pets by ID, with removed pets last. */
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

/** Creates an unclaimed job that is due immediately. */
export function documentOfMailJob(job: MailJob): MailDocument {
  return { ...documentOf(job), dueAt: 0, claimedUntil: 0 }
}
