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

/** Holds whole roles, which never change, so that reading an account is one read. */
export type AccountDocument = Keyed<Omit<Account, 'secondFactor'>> & {
  /** The newest reset tokens, in the order of issue; each is valid while its epoch is the epoch of the account. */
  resets?: (IssuedResetToken & { epoch: Epoch })[]
  /** The only reset token of a document of the first release; the next token moves it to `resets`. */
  reset?: Omit<IssuedResetToken, 'mailJobId'> & { epoch: Epoch }
  /** Without recovery codes until it is confirmed. */
  factor?: Omit<StoredSecondFactor, 'recovery'> & { recovery?: RecoveryDigest[] }
}

export type RoleDocument = { _id: Role['key'] } & Omit<Role, 'key'> & {
    /** The mark of a removal that counts the holders. A call that has given the role clears it. */
    removing?: string
  }

export type SessionDocument = Keyed<Session> & {
  /** The earlier of `endsAt` and `current.idleEndsAt`. */
  expiresAt: Instant
  /** The digests of the current and the previous key: one index finds either. */
  digests: KeyDigest[]
  /** For a session that was opened with a limit: the later session has the greater order. */
  order?: number
}

/** A login of stateless mode that was revoked or refreshed, until its last token has expired. */
export type RevocationDocument = { _id: SessionId } & LoginRecord

/** Attempts under a name until its window ends. `held` attempts may still be taken back. */
export type AttemptDocument = { _id: string; count: number; held?: number; until: Instant }

type IdempotencyDocument = Omit<Idempotency, 'at'>

export type PetDocument = Keyed<Pet> & {
  removed?: never
  /** Pet and idempotency key are one document, so one insert makes both. */
  idempotency?: IdempotencyDocument
}

/** A removed pet while its idempotency key is valid: a repeated request still finds the ID. */
export type RemovedPetDocument = { _id: PetId; removed: true; idempotency: IdempotencyDocument }

export type ApiKeyDocument = Keyed<ApiKey> & { digest: ApiKeyDigest }

/** Selects API keys that are neither revoked nor expired. */
export const inForce = (at: Instant) => ({ revokedAt: { $exists: false }, expiresAt: { $not: { $lte: at } } })

export type ProjectDocument = Keyed<Project>

/** A waiting mail. */
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

/** Only for a pet that is not removed: without its key, no purge would find a removed pet. */
export const FREE_KEY = { $unset: { idempotency: true } } as const

/** The index of pets in the order of their IDs, removed pets last. */
export const PETS_BY_ID = { removed: 1, _id: 1 } as const

export function isThere(document: PetDocument | RemovedPetDocument): document is PetDocument {
  return document.removed === undefined
}

export function petOf({ _id, idempotency: _, removed: __, ...rest }: PetDocument): Pet {
  return { id: _id, ...rest }
}

export function petsOf(documents: readonly (PetDocument | RemovedPetDocument)[]): Pet[] {
  return documents.filter(isThere).map(petOf)
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

/** Due immediately and not claimed. */
export function documentOfMailJob(job: MailJob): MailDocument {
  return { ...documentOf(job), dueAt: 0, claimedUntil: 0 }
}
