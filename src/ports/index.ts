/**
 * Exports the ports through which use cases reach stores and other parts, for authors of such parts. Every argument and result has a named
 * type. Types that methods of a Kennel instance also use, such as pets and accounts, are exported from `kennel-id`. The laws in
 * `kennel-id/contracts` test whether stores meet the requirements.
 */
export type {
  AccountInsertion,
  Accounts,
  AccountSearch,
  EmailChange,
  NewAccount,
  PasswordChange,
} from './accounts.js'
export type {
  AccountAdmission,
  AdmitAccount,
  NameClient,
  PreviousAccounts,
  PreviousAnswer,
} from './callbacks.js'
export type { ApiKeys, NewApiKey } from './api-keys.js'
export type {
  Attempt,
  AttemptCount,
  AttemptLimit,
  AttemptLimiter,
  AttemptOutcome,
} from './attempt-limiter.js'
export type { AuditLog, AuditPageRequest, AuditSink } from './audit-log.js'
export { STORE_CALLS, type OptionalCalls, type RequiredCalls } from './calls/store.js'
export type { Clock, Digest, Randomness } from './system.js'
export {
  RECORD_KINDS,
  type CopyableRecords,
  type CopyClaim,
  type CounterName,
  type RecordKind,
  type RecordOf,
} from './copyable-records.js'
export type { GivenStore, StorePart } from './given-store.js'
export type { Log, LogFields, LogLevel } from './log.js'
export type {
  MailClaim,
  MailQueue,
  Delivery,
  Mail,
  Mailer,
  MailTemplates,
  MailText,
  MailValues,
} from './mail.js'
export type {
  CompletedRequest,
  ConnectionEnding,
  Metrics,
  RefreshOutcome,
  RequestMethod,
  SessionEnding,
  StoreOutcome,
  UseCaseOutcome,
} from './metrics.js'
export type {
  Enrolment,
  OneTimeCodes,
  CodeProof,
  RecoveryRenewal,
  SecondFactorActivation,
  SecondFactors,
  TakenStep,
  OpenedSecret,
  SecretSeal,
} from './second-factors.js'
export type { PageOrder } from '../domain/page-limit.js'
export type {
  PasskeyOwner,
  PasskeyResponse,
  PasskeyVerifier,
  VerifiedAssertion,
  VerifiedRegistration,
  Passkeys,
  PasskeyUse,
} from './passkeys.js'
export type {
  PasswordBlocklist,
  PasswordContext,
  PasswordObjection,
  PasswordHasher,
  PasswordVerification,
  Recognised,
  VerificationCache,
  VerifyFound,
} from './passwords.js'
export type { Idempotency, PetInsertion, PetPatch, PetRemoval, Pets } from './pets.js'
export type { Projects } from './projects.js'
export type { Proofs, ProofUse, ProvenAccount, ProvenInsertion } from './proofs.js'
export type {
  Revocations,
  StatelessLogin,
  SessionPageRequest,
  SessionPosition,
  Sessions,
} from './sessions.js'
export type { Roles } from './roles.js'
export type { ApiKeySecrets, ProofSecrets, SessionKeys } from './session-keys.js'
export type { OptionalPort, PartialStore, Store, StorePort, StoreWithin } from './store.js'
export type { PublicKey, TokenFormat, TokenUse, TokenSigner, Verification } from './tokens.js'

export type { ApiKeyDigest } from '../domain/access/api-key.js'
export { isOfOwnClient, withoutClient } from '../domain/audit.js'
export { canonicalEmail, type EmailStart } from '../domain/identity/email.js'
export type { JsonObject } from '../domain/identity/json-object.js'
export {
  decideLoginRotation,
  decideRotation,
  type LoginPairs,
  type LoginRecord,
  type LoginRotation,
  type LoginRotationRequest,
  type SignedPair,
  type Rotation,
  type RotationRequest,
} from '../domain/identity/rotation.js'
export type { Password } from '../domain/identity/password.js'
export {
  PASSKEYS_MAX,
  type Passkey,
  type PasskeyId,
  type PasskeyName,
  type PasskeyPublicKey,
} from '../domain/identity/passkey.js'
export {
  CODE_ATTEMPTS_MAX,
  PROOF_PURPOSES,
  RESET_PROOFS_MAX,
  type Proof,
  type ProofDigest,
  type ProofId,
  type ProofPurpose,
  type ProofRenewal,
  type ProofSecret,
} from '../domain/identity/proof.js'
export type {
  CodeParameters,
  ImportedSecret,
  RecoveryCode,
  RecoveryDigest,
  SealedSecret,
  SecondFactor,
  StoredSecondFactor,
  TimeStep,
} from '../domain/identity/second-factor.js'
export {
  isFoundBy,
  isPastEnd,
  type ActiveSession,
  type Generation,
  type KeyDigest,
  type LoginProof,
  type OpenedBy,
  type PairId,
  type PreviousGeneration,
  type Session,
} from '../domain/identity/session.js'
export type { Milliseconds } from '../domain/instant.js'
export type { FactorChange, MailJob, MailJobId, MailKind, PasskeyChange } from '../domain/mail.js'
