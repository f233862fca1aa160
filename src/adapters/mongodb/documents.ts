import type { Role, RoleKey } from '../../domain/access/role.js'
import type { ApiKeyDigest, ApiKeyId } from '../../domain/access/api-key.js'
import type { Category, Pet, PetId, PetName, PetTag, Revision } from '../../domain/catalogue/pet.js'
import type { Traits } from '../../domain/catalogue/traits.js'
import type { AuditRecord, AuditRecordId } from '../../domain/audit.js'
import type { Account, AccountId, Epoch } from '../../domain/identity/account.js'
import type { Email } from '../../domain/identity/email.js'
import type { LoginPairs } from '../../domain/identity/login-rotation.js'
import type { PasswordHash } from '../../domain/identity/password.js'
import type { IssuedResetToken } from '../../domain/identity/reset-token.js'
import type { RecoveryDigest, StoredSecondFactor } from '../../domain/identity/second-factor.js'
import type {
  Actor,
  Generation,
  KeyDigest,
  OpenedBy,
  PreviousGeneration,
  Session,
  SessionId,
} from '../../domain/identity/session.js'
import type { Instant } from '../../domain/instant.js'
import type { MailJob, MailJobId } from '../../domain/mail.js'
import type { Budget, Project, ProjectId, ProjectText } from '../../domain/project/project.js'

/** The last number that was given out, under `counterOf` its kind; the schema's version under `schema`. */
export type MetaDocument = { _id: string; value: number }

/** Roles never change, so an account and an API key hold theirs whole and need no second read. */
export type AccountDocument = {
  _id: AccountId
  email: Email
  enteredEmail?: Email
  sharedEmail?: Email
  passwordHash?: PasswordHash
  epoch: Epoch
  disabledAt?: Instant
  createdAt: Instant
  roles: Role[]
  /** The newest ones, the newest last; each in force while its epoch is the account's. */
  resets?: (IssuedResetToken & { epoch: Epoch })[]
  /** The one reset token that the first release kept; the next one moves it to the others. */
  reset?: Omit<IssuedResetToken, 'mailJobId'> & { epoch: Epoch }
  /** Without recovery codes until it is confirmed. */
  factor?: Omit<StoredSecondFactor, 'recovery'> & { recovery?: RecoveryDigest[] }
}

export type RoleDocument = { _id: RoleKey; uuid: string; label: string }

export type SessionDocument = {
  _id: SessionId
  accountId: AccountId
  epoch: Epoch
  createdAt: Instant
  endsAt: Instant
  /** The earlier of the two ends, for the purge. */
  expiresAt: Instant
  /** Of the current key and, once it was refreshed, of the one before: one index finds either. */
  digests: KeyDigest[]
  current: Generation
  previous?: PreviousGeneration
  openedBy?: OpenedBy
  actor?: Actor
  factor?: true
  /** Where it was opened with a limit: the later, the greater. */
  order?: number
}

/** A login of stateless mode that was revoked or refreshed, under its id, until none of its tokens is good any more. */
export type RevocationDocument = { _id: SessionId; until: Instant; pairs?: LoginPairs }

/**
 * Attempts under a name, until its window is over. Those of them that are `held` are being counted under wider names and are
 * taken back where one of these is full.
 */
export type AttemptDocument = { _id: string; count: number; held?: number; until: Instant }

export type PetDocument = {
  _id: PetId
  removed?: never
  name: PetName
  tag?: PetTag
  category?: Category
  revision: Revision
  traits?: Traits
  /** Of the request that made it, until its time is over: pet and key are one insert. */
  idempotency?: IdempotencyDocument
}

export type IdempotencyDocument = { scope: string; key: string; fingerprint: string; until: Instant }

/** What is left of a removed pet for as long as its idempotency key binds: a repeated request still finds its id. */
export type RemovedPetDocument = { _id: PetId; removed: true; idempotency: IdempotencyDocument }

export type ApiKeyDocument = {
  _id: ApiKeyId
  name: string
  digest: ApiKeyDigest
  roles: Role[]
  createdAt: Instant
  revokedAt?: Instant
  expiresAt?: Instant
  lastUsedAt?: Instant
}

export type ProjectDocument = {
  _id: ProjectId
  label: ProjectText
  status: ProjectText
  budget: Budget
  createdBy: AccountId
  createdAt: Instant
  closedAt?: Instant
}

/** A mail that has to leave; a claim is over at the moment that it names. */
export type MailDocument = Omit<MailJob, 'id'> & {
  _id: MailJobId
  dueAt: Instant
  claimedUntil: Instant
}

export type AuditDocument = Omit<AuditRecord, 'id'> & { _id: AuditRecordId }

export function accountOf({ _id, reset: _, resets: __, factor, ...rest }: AccountDocument): Account {
  return { id: _id, ...rest, ...(factor?.activeSince !== undefined && { secondFactor: true }) }
}

/** Of removed pets none is shown; those with an idempotency key stay until it is over. */
export const NOT_REMOVED = { removed: { $exists: false } } as const

/** Of a pet that is not removed, to the end: what is left of one without its key would be found by no purge. */
export const FREE_KEY = { $unset: { idempotency: true } } as const

/** The index of those that are not removed, in the order of their ids: with the ids alone one would pass over the others. */
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

export function projectOf({ _id, ...rest }: ProjectDocument): Project {
  return { id: _id, ...rest }
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

/** Due at once and not claimed. */
export function documentOfMailJob({ id, ...rest }: MailJob): MailDocument {
  return { _id: id, ...rest, dueAt: 0, claimedUntil: 0 }
}

export function auditRecordOf({ _id, ...rest }: AuditDocument): AuditRecord {
  return { id: _id, ...rest }
}

export function documentOfAuditRecord({ id, ...rest }: AuditRecord): AuditDocument {
  return { _id: id, ...rest }
}
