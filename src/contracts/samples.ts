import type { ApiKeyDigest } from '../domain/access/api-key.js'
import type { Role, RoleKey } from '../domain/access/role.js'
import type { AuditRecord, AuditRecordId } from '../domain/audit.js'
import type { PetDraft, PetId, PetName } from '../domain/catalogue/pet.js'
import type { Account, AccountId } from '../domain/identity/account.js'
import type { Email } from '../domain/identity/email.js'
import type { Passkey, PasskeyId, PasskeyName, PasskeyPublicKey } from '../domain/identity/passkey.js'
import type { PasswordHash } from '../domain/identity/password.js'
import type { Proof, ProofDigest, ProofId, ProofPurpose } from '../domain/identity/proof.js'
import type { LoginRotationRequest, RotationRequest } from '../domain/identity/rotation.js'
import type { RecoveryDigest, SealedSecret, TimeStep } from '../domain/identity/second-factor.js'
import type { Actor, Generation, KeyDigest, PairId, Session, SessionId } from '../domain/identity/session.js'
import { type Instant, timePrefix } from '../domain/instant.js'
import type { MailJob, MailJobId } from '../domain/mail.js'
import type { PageLimit } from '../domain/page-limit.js'
import type { Budget, ProjectDraft, ProjectText } from '../domain/project/project.js'
import type { NewAccount } from '../ports/accounts.js'
import type { NewApiKey } from '../ports/api-keys.js'
import type { Idempotency } from '../ports/pets.js'
import type { SecondFactorActivation, TakenStep } from '../ports/second-factors.js'
import type { StatelessLogin } from '../ports/sessions.js'

export const SECOND = 1_000
export const DAY = 24 * 60 * 60 * SECOND
/** The time that every law uses as the current time. */
export const NOW: Instant = Date.UTC(2030, 0, 1)
/** The default grace window of a rotation. */
export const GRACE = 10 * SECOND

/** IDs that do not exist and that need more than 32 bits. */
export const UNKNOWN = 4_000_000_001 as AccountId
export const NO_PET = 4_000_000_001 as PetId

/** Valid strings that a careless store changes, truncates, executes or confuses with other strings. */
export const AWKWARD_STRINGS: readonly string[] = [
  ...['Zo\u00eb', 'Zoe\u0308', '犬 и مرحبا', '🐕‍🦺🇨🇭', `"double" 'single' \`back\``, `'; DROP TABLE pets; --`],
  ...['{"$ne":null}', '$ne', 'a.b.$c', '100%_*?', 'back\\slash\\', '${x} {{x}} <b>&amp;</b>', '007', '1e3'],
  ...['null', '__proto__', 'constructor'],
]

export const emailOf = (name: string) => `${name}@example.org` as Email
export const hashOf = (name: string) => `$2b$10$${scrambled(name, 7).slice(0, 53)}` as PasswordHash

export function aNewAccount(name: string): NewAccount {
  return { email: emailOf(name), passwordHash: hashOf(name), createdAt: NOW }
}

export function aRole(key: string, label = `Label of ${key}`): Role {
  return { uuid: uuidOf(`role ${key}`), key: key as RoleKey, label }
}

export const keyDigestOf = (label: string) => scrambled(label, 6).slice(0, 43) as KeyDigest
export const apiKeyDigestOf = (label: string) => scrambled(`api ${label}`, 6).slice(0, 43) as ApiKeyDigest
export const sessionIdOf = (label: string) => uuidOf(`session ${label}`) as SessionId
export const pairIdOf = (label: string) => uuidOf(`pair ${label}`) as PairId

/** Returns a token generation that is issued at `at` and valid for seven days. */
export function aGeneration(label: string, number = 1, at: Instant = NOW): Generation {
  return {
    number,
    pairId: pairIdOf(`${label} ${number}`),
    kid: 'kid-1',
    issuedAt: at,
    keyDigest: keyDigestOf(`${label} ${number}`),
    idleEndsAt: at + 7 * DAY,
  }
}

/** Returns a session that was opened at `NOW` and is valid for thirty days. */
export function aSession({ id, epoch }: Account, label: string): Session {
  return {
    id: sessionIdOf(label),
    accountId: id,
    epoch,
    createdAt: NOW,
    endsAt: NOW + 30 * DAY,
    current: aGeneration(label),
  }
}

export function anActor({ id, email, epoch }: Account): Actor {
  return { accountId: id, email, epoch, endsAt: NOW + 29 * DAY }
}

export const sealedSecretOf = (label: string) => `sealed.${scrambled(`secret ${label}`, 12)}` as SealedSecret

export const recoveryDigestOf = (label: string) =>
  scrambled(`recovery ${label}`, 6).slice(0, 43) as RecoveryDigest

/** Returns the time step at `NOW`, or `later` steps after it. */
export const stepOf = (later = 0) => (Math.floor(NOW / (30 * SECOND)) + later) as TimeStep

/** Returns a time step for the second factor that `anActivation` activates. */
export function aStep(later = 0): TakenStep {
  return { step: stepOf(later), since: NOW + SECOND }
}

/** Returns the activation of a second factor with this secret and two recovery codes, one second after `NOW`. */
export function anActivation(label: string, change: Partial<SecondFactorActivation> = {}) {
  const recovery = ['one', 'two'].map((code) => recoveryDigestOf(`${label} ${code}`))
  return { sealedSecret: sealedSecretOf(label), step: stepOf(), recovery, at: NOW + SECOND, ...change }
}

/**
 * Returns a valid refresh request, sent one second after the active generation was issued, with the token and the cookie of that
 * generation. Requests with different values of `caller` propose different next generations.
 */
export function aRotation(session: Session, change: Partial<RotationRequest> = {}, caller = 0) {
  const at = change.at ?? session.current.issuedAt + SECOND
  return {
    sessionId: session.id,
    from: session.current.pairId,
    keyDigest: session.current.keyDigest,
    next: aGeneration(`${session.id} ${caller}`, session.current.number + 1, at),
    at,
    grace: GRACE,
    found: structuredClone(session),
    ...change,
  }
}

/**
 * Returns a valid refresh request for a login in stateless mode, sent one second after `NOW`, with the token of the login's first pair. The
 * tokens of the login expire after thirty days. `caller` has the same effect as in `aRotation`.
 */
export function aLoginRotation(
  { sessionId }: Pick<StatelessLogin, 'sessionId'>,
  change: Partial<LoginRotationRequest> = {},
  caller = 0,
): LoginRotationRequest {
  const at = change.at ?? NOW + SECOND
  const from = change.from ?? pairIdOf(`${sessionId} first`)
  const next = { pairId: pairIdOf(`${from} ${caller}`), kid: 'kid-1', issuedAt: at }
  return { sessionId, from, next, at, grace: GRACE, until: NOW + 30 * DAY, ...change }
}

export const aPet = (name: string): PetDraft => ({ name: name as PetName })
export const pageLimitOf = (limit: number) => limit as PageLimit

/** Returns the idempotency key `key-1` of one credential, valid for one day from `NOW`. */
export function anIdempotency(change: Partial<Idempotency> = {}): Idempotency {
  return { scope: 'account:1', key: 'key-1', fingerprint: 'f-1', at: NOW, until: NOW + DAY, ...change }
}

export function aNewApiKey(name: string, roles: readonly Role[] = []): NewApiKey {
  return { name, digest: apiKeyDigestOf(name), roles: roles.map((role) => role.key), createdAt: NOW }
}

export function aProject(label: string): ProjectDraft {
  return { label: label as ProjectText, status: 'planned' as ProjectText, budget: 1250.75 as Budget }
}

/** Returns the audit record for a login to account 1 at `NOW`. `rank` determines the order of records that have the same time. */
export function anAuditRecord(rank: string, change: Partial<AuditRecord> = {}): AuditRecord {
  const at = change.at ?? NOW
  return {
    id: `${timePrefix(at)}-${rank}` as AuditRecordId,
    at,
    event: 'login',
    actor: 'account:1',
    outcome: 'success',
    accounts: [1 as AccountId],
    ...change,
  }
}

/** Returns a mail job that was requested at `NOW`. `rank` determines the order of jobs that were requested at the same instant. */
export function aMailJob(rank: string, change: Partial<MailJob> = {}): MailJob {
  const askedAt = change.askedAt ?? NOW
  return {
    id: `${timePrefix(askedAt)}-${rank}` as MailJobId,
    kind: 'reset-password',
    email: emailOf('ann'),
    askedAt,
    attempts: 0,
    ...change,
  }
}

export const proofIdOf = (label: string) => `${timePrefix(NOW)}-${label}` as ProofId
export const proofDigestOf = (label: string) => scrambled(`proof ${label}`, 6).slice(0, 43) as ProofDigest

/**
 * Returns a proof for the email that `label` determines; the proof was requested at `NOW` and is valid for one day. `label` also determines
 * the order of proofs.
 */
export function aProof(purpose: ProofPurpose, label: string, change: Partial<Proof> = {}): Proof {
  return {
    ...{ id: proofIdOf(label), purpose, email: emailOf(label), createdAt: NOW, until: NOW + DAY },
    ...{ digest: proofDigestOf(label), attempts: 0, ...change },
  }
}

export const passkeyIdOf = (label: string) => scrambled(`passkey ${label}`, 6).slice(0, 43) as PasskeyId

/** Returns a passkey of the account that was created at `NOW` and never used. `label` also determines its name. */
export function aPasskey(
  { id: accountId }: Pick<Account, 'id'>,
  label: string,
  change: Partial<Passkey> = {},
): Passkey {
  return {
    ...{ id: passkeyIdOf(label), accountId, publicKey: scrambled(`key ${label}`, 12) as PasskeyPublicKey },
    ...{ counter: 0, synced: true, backedUp: false, transports: ['hybrid', 'internal'] },
    ...{ name: label as PasskeyName, createdAt: NOW, ...change },
  }
}

function uuidOf(label: string): string {
  return scrambled(label, 4).replace(/^(.{8})(.{4}).(.{3}).(.{3})/, '$1-$2-4$3-a$4-')
}

/** Hashes the label with FNV-1a to eight hexadecimal digits per round. */
function scrambled(label: string, rounds: number): string {
  return Array.from({ length: rounds }, (_, round) => {
    let hash = 0x811c9dc5
    for (const character of `${round} ${label}`)
      hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193)
    return (hash >>> 0).toString(16).padStart(8, '0')
  }).join('')
}
