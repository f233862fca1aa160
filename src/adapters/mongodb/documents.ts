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

/** A record as a document: its ID is the key of the collection. */
export type Keyed<T extends { readonly id: unknown }> = { _id: T['id'] } & Omit<T, 'id'>

/** The last number that was given out, under `counterOf` its kind; the version of the schema under `schema`. */
export type MetaDocument = { _id: string; value: number }

/** Roles never change, so an account and an API key hold whole roles and need no second read. */
export type AccountDocument = Keyed<Omit<Account, 'secondFactor'>> & {
  /** The newest reset tokens, the newest last; each is in force while its epoch is the account's epoch. */
  resets?: (IssuedResetToken & { epoch: Epoch })[]
  /** The one reset token that the first release kept; the next token moves it to the others. */
  reset?: Omit<IssuedResetToken, 'mailJobId'> & { epoch: Epoch }
  /** Without recovery codes until it is confirmed. */
  factor?: Omit<StoredSecondFactor, 'recovery'> & { recovery?: RecoveryDigest[] }
}

export type RoleDocument = { _id: Role['key'] } & Omit<Role, 'key'>

export type SessionDocument = Keyed<Session> & {
  /** The earlier of the two ends, for the purge. */
  expiresAt: Instant
  /** The digest of the current key and, after a refresh, the digest of the previous key: one index finds either. */
  digests: KeyDigest[]
  /** If it was opened with a limit: the later session has the greater order. */
  order?: number
}

/** A login of stateless mode that was revoked or refreshed, under its ID, while any of its tokens may be valid. */
export type RevocationDocument = { _id: SessionId } & LoginRecord

/**
 * Attempts under a name, until its window ends. `held` attempts are being counted under wider names, and are
 * taken back if a wider name is full.
 */
export type AttemptDocument = { _id: string; count: number; held?: number; until: Instant }

type IdempotencyDocument = Omit<Idempotency, 'at'>

export type PetDocument = Keyed<Pet> & {
  removed?: never
  /** The key of the request that made the pet, while it binds: pet and key are one insert. */
  idempotency?: IdempotencyDocument
}

/** The rest of a removed pet while its idempotency key binds: a repeated request still finds the ID. */
export type RemovedPetDocument = { _id: PetId; removed: true; idempotency: IdempotencyDocument }

export type ApiKeyDocument = Keyed<ApiKey> & { digest: ApiKeyDigest }

export type ProjectDocument = Keyed<Project>

/** A mail that waits; its claim ends at the moment that it names. */
export type MailDocument = Keyed<MailJob> & { dueAt: Instant; claimedUntil: Instant }

export type AuditDocument = Keyed<AuditRecord>

/** The record of a document that holds nothing else. */
export function recordOf<T extends { readonly id: unknown }>({ _id, ...rest }: Keyed<T>): T {
  return { id: _id, ...rest } as unknown as T
}

export function documentOf<T extends { readonly id: unknown }>({ id, ...rest }: T): Keyed<T> {
  return { _id: id, ...rest }
}

export function accountOf({ _id, reset: _, resets: __, factor, ...rest }: AccountDocument): Account {
  return { id: _id, ...rest, ...(factor?.activeSince !== undefined && { secondFactor: true }) }
}

/** Removed pets are not shown; those with an idempotency key stay until the key is free. */
export const NOT_REMOVED = { removed: { $exists: false } } as const

/** Only for a pet that is not removed: no purge would find the rest of a removed pet without its key. */
export const FREE_KEY = { $unset: { idempotency: true } } as const

/** The index of pets that are not removed, in the order of their IDs: the index of the IDs alone would pass over the others. */
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
