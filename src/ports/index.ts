/**
 * The ports: what the use cases need from outside, as types with their promises, and the values that only they speak of;
 * pets, accounts and whatever else a Kennel's methods take or give is of `kennel-id`. For authors of a store or of
 * another part; the promises of a store are laws as well, in `kennel-id/contracts`.
 */
export type {
  AccountInsertion,
  AccountSearch,
  Accounts,
  NewAccount,
  PasswordChange,
  ResetConsumption,
} from './accounts.js'
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
export { combineStores } from './combine-stores.js'
export type { Digest } from './digest.js'
export type { Log, LogFields, LogLevel } from './log.js'
export type { MailClaim, MailQueue } from './mail-queue.js'
export type {
  ClientNotice,
  Delivery,
  Mail,
  Mailer,
  MailTemplates,
  MailText,
  MailValues,
  Occasion,
} from './mailer.js'
export {
  REQUEST_METHODS,
  type CompletedRequest,
  type Metrics,
  type RefreshOutcome,
  type RequestMethod,
  type ConnectionEnding,
  type SessionEnding,
  type StoreOutcome,
  type UseCaseOutcome,
} from './metrics.js'
export type { NameClient } from './name-client.js'
export type { Enrolment, OneTimeCodes } from './one-time-codes.js'
export type { PageOrder } from './page-order.js'
export {
  PASSWORD_OBJECTIONS,
  type PasswordBlocklist,
  type PasswordContext,
  type PasswordObjection,
} from './password-blocklist.js'
export type { PasswordHasher, Recognised } from './password-hasher.js'
export type { Idempotency, PetInsertion, PetPatch, PetRemoval, Pets } from './pets.js'
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
export type { OpenedSecret, SecretSeal } from './secret-seal.js'
export type { CodeProof, RecoveryRenewal, SecondFactorActivation, SecondFactors } from './second-factors.js'
export type { ApiKeySecrets, ResetTokens, SessionKeys } from './session-keys.js'
export type { SessionPageRequest, SessionPosition, Sessions } from './sessions.js'
export type { MissingPort, OptionalPort, PartialStore, Store, StorePart, StorePort } from './store.js'
export { TOKEN_MAX, type PublicKey, type TokenFormat } from './token-format.js'
export type { TokenSigner, Verification } from './token-signer.js'
export type { PasswordVerification, VerificationCache } from './verification-cache.js'

export type { ApiKeyDigest } from '../domain/access/api-key.js'
export { canonicalEmail, type EmailStart } from '../domain/identity/email.js'
export { isOfOwnClient, ownActors, withoutClient } from '../domain/audit.js'
export type { JsonObject } from '../domain/identity/json-object.js'
export type { Password } from '../domain/identity/password.js'
export {
  RESET_TOKENS_MAX,
  type IssuedResetToken,
  type ResetDigest,
  type ResetToken,
} from '../domain/identity/reset-token.js'
export type {
  RecoveryCode,
  RecoveryDigest,
  SealedSecret,
  SecondFactor,
  StoredSecondFactor,
  TimeStep,
} from '../domain/identity/second-factor.js'
export {
  decideLoginRotation,
  type LoginPairs,
  type LoginRecord,
  type LoginRotation,
  type LoginRotationRequest,
  type SignedPair,
} from '../domain/identity/login-rotation.js'
export { decideRotation, type Rotation, type RotationRequest } from '../domain/identity/rotation.js'
export {
  isFoundBy,
  isPastEnd,
  type ActiveSession,
  type Generation,
  type KeyDigest,
  type OpenedBy,
  type PairId,
  type PreviousGeneration,
  type Session,
} from '../domain/identity/session.js'
export type { Milliseconds } from '../domain/instant.js'
export {
  CHOSEN_TOPICS,
  FACTOR_CHANGES,
  MAIL_KINDS,
  NOTICE_KINDS,
  type ChosenTopic,
  type FactorChange,
  type MailJob,
  type MailJobId,
  type MailKind,
  type NoticeTopic,
} from '../domain/mail.js'
