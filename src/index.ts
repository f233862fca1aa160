/**
 * Exports for programs that open Kennel: `openKennel`, the types of arguments and results with their parsers, and the refusals and errors.
 * Individual use cases are in `kennel-id/use-cases`, and the contracts of stores and other parts are in `kennel-id/ports`.
 */
export type { Kennel, KennelOver } from './embedding/kennel.js'
export { combineStores } from './embedding/combine-stores.js'
export { openKennel } from './embedding/open-kennel.js'
export type { OperatorUseCases } from './application/wiring.js'
export {
  OptionsError,
  type DurationOption,
  type KennelOptions,
  type KennelParts,
} from './embedding/options.js'
export { PartError } from './composition-root/custom-parts/watch.js'
export type {
  CredentialSource,
  IdentifyOptions,
  FetchHeaders,
  IncomingRequest,
  NodeHeaders,
  PageRequest,
} from './embedding/identify.js'
export type { SessionCookieHeaders } from './embedding/session-cookie.js'
export type { Authorized } from './application/access/authorize.js'
export type { SessionSummary } from './application/access/sessions.js'
export type { GivenPassword } from './application/accounts/passwords.js'
export type { UserDetails } from './application/accounts/list-users.js'
export type { ImportedUser } from './application/accounts/import-users.js'
export type {
  ExportedAccount,
  ExportedMail,
  ExportedProof,
  ExportedRecord,
  ExportedSecondFactor,
  ExportedSession,
  UserExport,
} from './application/accounts/export-user.js'
export type { ListedAuditRecord } from './application/audit/list-audit.js'
export type { UserSummary } from './application/accounts/list-users.js'
export type { GivenPasswords } from './application/accounts/user-passwords.js'
export type { PetCredentials, PetSecurity } from './application/catalogue/authenticate-pet-client.js'
export type { ClientContext } from './application/client-context.js'
export type { EndedSessions, OwnSession, OwnSessionPage } from './application/identity/own-sessions.js'
export type { Issued } from './application/identity/issue.js'
export type { FactorConfirmed } from './application/identity/second-factor/set-up-second-factor.js'
export type { PasskeyView } from './application/identity/passkeys/own-passkeys.js'
export type { PasskeyLogin } from './application/identity/passkeys/passkey-login.js'
export type { FactorStatus } from './application/identity/second-factor/own-second-factor.js'
export type { FactorSetUp } from './application/identity/second-factor/set-up-second-factor.js'
export type { AccessToken } from './application/identity/presented.js'
export type { Presented } from './application/identity/presented.js'
export type { ApiKey, ApiKeyCreator, ApiKeyId } from './domain/access/api-key.js'
export {
  ANONYMOUS,
  OPERATOR,
  type Anonymous,
  type ApiKeyIdentity,
  type Caller,
  type Identity,
  type Operator,
} from './domain/access/caller.js'
export {
  ACTIONS,
  type Action,
  type Component,
  type Components,
  type NoComponents,
} from './domain/access/components.js'
export {
  DEFAULT_PERMISSIONS,
  type ActionRule,
  type PermissionRules,
  type RoleRules,
  type StepUpRule,
  type TypedPermissionRules,
} from './domain/access/permission-rules.js'
export type { GrantedTo } from './domain/access/permissions.js'
export type { StepUp } from './domain/access/step-up.js'
export type { Role, RoleKey } from './domain/access/role.js'
export { AUDIT_EVENTS, type AuditEvent, type AuditRecord, type AuditRecordId } from './domain/audit.js'
export {
  idempotencyKey,
  petIds,
  CATEGORIES,
  category,
  petId,
  petName,
  petTag,
  age,
  breed,
  type IdempotencyKey,
  type PetIds,
  type Category,
  type Pet,
  type PetDraft,
  type PetId,
  type PetName,
  type PetPage,
  type PetTag,
  type Revision,
  type Age,
  type Breed,
  type CatTraits,
  type DogTraits,
  type Traits,
  type TraitsChange,
} from './domain/catalogue/pet.js'
export type { Account, AccountId, Epoch } from './domain/identity/account.js'
export type { CarriedLogin, ClaimedActor, Claims, TokenKind } from './domain/identity/claims.js'
export type { Email } from './domain/identity/email.js'
export type { PasswordHash } from './domain/identity/password.js'
export type { FactorSecret } from './domain/identity/second-factor.js'
export type { Actor, SessionId, SessionKey } from './domain/identity/session.js'
export type { Instant } from './domain/instant.js'
export type { Parsed } from './domain/parsed.js'
export { pageLimit, type PageLimit } from './domain/page-limit.js'
export type {
  Budget,
  Project,
  ProjectDraft,
  ProjectId,
  ProjectPage,
  ProjectText,
} from './domain/project/project.js'
export {
  isRefusal,
  Refusal,
  REFUSAL_CODES,
  transient,
  unavailable,
  type Message,
  type MessageType,
  type RefusalCode,
  type TooManyAttempts,
} from './domain/refusal.js'
export { statusOf } from './http/refusal-status.js'
export { replyOf, type RefusalReply } from './http/reply/failure.js'
