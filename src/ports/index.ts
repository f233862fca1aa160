/**
 * The ports: what the use cases need from outside, as types with their promises, and the values of
 * the domain that go through them. For authors of a store or of another part; the
 * promises of a store are laws as well, in `kennel-id/contracts`.
 */
export type { AccountInsertion, Accounts, NewAccount, ResetConsumption } from './accounts.js'
export type { ApiKeys, NewApiKey } from './api-keys.js'
export type {
  Attempt,
  AttemptCount,
  AttemptLimit,
  AttemptLimiter,
  AttemptOutcome,
} from './attempt-limiter.js'
export type { AuditLog, AuditPageRequest, AuditSink } from './audit-log.js'
export type { Clock } from './clock.js'
export type { Digest } from './digest.js'
export type { Log, LogFields, LogLevel } from './log.js'
export type { MailQueue } from './mail-queue.js'
export type { Delivery, Mail, Mailer, MailTemplates, MailText, MailValues } from './mailer.js'
export {
  REQUEST_METHODS,
  type CompletedRequest,
  type Metrics,
  type RefreshOutcome,
  type RequestMethod,
  type ConnectionEnding,
  type SessionEnding,
  type StoreOutcome,
  type StorePort,
  type UseCaseOutcome,
} from './metrics.js'
export type { PageOrder } from './page-order.js'
export type { PasswordHasher, Recognised } from './password-hasher.js'
export type { Idempotency, PetInsertion, PetPatch, Pets } from './pets.js'
export type { Projects } from './projects.js'
export type { Randomness } from './randomness.js'
export {
  RECORD_KINDS,
  type CopyClaim,
  type CounterName,
  type RecordKind,
  type RecordOf,
  type Records,
} from './records.js'
export type { Revocations, StatelessLogin } from './revocations.js'
export type { Roles } from './roles.js'
export type { ApiKeySecrets, ResetTokens, SessionKeys } from './session-keys.js'
export type { SessionPageRequest, SessionPosition, Sessions } from './sessions.js'
export type { Store } from './store.js'
export { TOKEN_MAX, type PublicKey, type TokenFormat } from './token-format.js'
export type { TokenSigner, Verification } from './token-signer.js'

export type { ApiKey, ApiKeyDigest, ApiKeyId } from '../domain/access/api-key.js'
export type { Role, RoleKey } from '../domain/access/role.js'
export type { AuditEvent, AuditRecord, AuditRecordId } from '../domain/audit.js'
export type { PageLimit, PetPage } from '../domain/catalogue/page.js'
export type { Category, Pet, PetDraft, PetId, PetName, PetTag, Revision } from '../domain/catalogue/pet.js'
export type { Age, Breed, CatTraits, DogTraits, Traits, TraitsChange } from '../domain/catalogue/traits.js'
export type { Account, AccountId, Epoch } from '../domain/identity/account.js'
export type { Claims, TokenKind } from '../domain/identity/claims.js'
export type { Email } from '../domain/identity/email.js'
export type { JsonObject } from '../domain/identity/json-object.js'
export type { Password, PasswordHash } from '../domain/identity/password.js'
export {
  RESET_TOKENS_MAX,
  type ResetDigest,
  type IssuedResetToken,
  type ResetToken,
} from '../domain/identity/reset-token.js'
export { decideRotation, type Rotation, type RotationRequest } from '../domain/identity/rotation.js'
export {
  isPastEnd,
  isFoundBy,
  type Actor,
  type Generation,
  type KeyDigest,
  type ActiveSession,
  type PairId,
  type PreviousGeneration,
  type Session,
  type SessionId,
  type SessionKey,
} from '../domain/identity/session.js'
export type { Instant, Milliseconds } from '../domain/instant.js'
export { MAIL_KINDS, type MailJob, type MailJobId, type MailKind } from '../domain/mail.js'
export type { Budget, Project, ProjectDraft, ProjectId, ProjectText } from '../domain/project/project.js'
export type { PasswordVerification, VerificationCache } from './verification-cache.js'
