/**
 * The library, batteries included (`openKennel`) or in parts: every use case as a factory that takes its parts, the rules of the domain that
 * make their arguments, and the ports that a store or another adapter fulfils.
 */
export {
  openKennel,
  type DurationOption,
  type Kennel,
  type KennelOptions,
  type KennelParts,
  type OperatorUseCases,
  type SessionCookieHeaders,
  OptionsError,
  PartError,
} from './embedding/open-kennel.js'
export { createAuthorize, type Authorize, type Authorized } from './application/access/authorize.js'
export { createCreateApiKey, type CreateApiKey } from './application/access/create-api-key.js'
export { createCreateRole, type CreateRole } from './application/access/create-role.js'
export { createListRoles, type ListRoles } from './application/access/list-roles.js'
export {
  createListSessions,
  type ListSessions,
  type SessionSummary,
} from './application/access/list-sessions.js'
export { createRevokeSessions, type RevokeSessions } from './application/access/revoke-sessions.js'
export { createListApiKeys, type ListApiKeys } from './application/access/list-api-keys.js'
export { createRevokeApiKey, type RevokeApiKey } from './application/access/revoke-api-key.js'
export { createAssignRole, type AssignRole } from './application/accounts/assign-role.js'
export { createCreateUser, type CreateUser } from './application/accounts/create-user.js'
export {
  createHashNewPassword,
  type GivenPassword,
  type HashNewPassword,
} from './application/accounts/hash-new-password.js'
export { createListUsers, type ListUsers, type UserSummary } from './application/accounts/list-users.js'
export { createDisableUser, type DisableUser } from './application/accounts/disable-user.js'
export { createEnableUser, type EnableUser } from './application/accounts/enable-user.js'
export { createDeleteUser, type DeleteUser } from './application/accounts/delete-user.js'
export {
  createImportUsers,
  type ImportedUser,
  type ImportUser,
  type ImportUsers,
  type ImportUsersParts,
} from './application/accounts/import-users.js'
export {
  createSetAllPasswords,
  type GivenPasswords,
  type SetAllPasswords,
} from './application/accounts/set-all-passwords.js'
export {
  createSetPassword,
  type SetPassword,
  type SetPasswordParts,
} from './application/accounts/set-password.js'
export {
  createAuthenticatePetClient,
  type AuthenticatePetClient,
  type AuthenticatePetClientParts,
  type PetCredentials,
  type PetSecurity,
} from './application/catalogue/authenticate-pet-client.js'
export { createCreatePet, type CreatePet } from './application/catalogue/create-pet.js'
export { createListPets, type ListPets } from './application/catalogue/list-pets.js'
export { createPatchPet, type PatchPet } from './application/catalogue/patch-pet.js'
export { createReadPet, type ReadPet } from './application/catalogue/read-pet.js'
export { createReadPets, type ReadPets } from './application/catalogue/read-pets.js'
export { createAuthenticate, type Authenticate } from './application/identity/authenticate.js'
export { createCheckAccessToken, type CheckAccessToken } from './application/identity/check-access-token.js'
export { createGetIdentity, type GetIdentity } from './application/identity/get-identity.js'
export { createIssue, type Issue, type Issued } from './application/identity/issue.js'
export { createLogin, type Login, type LoginParts } from './application/identity/login.js'
export { createLogout, type Logout, type LogoutParts } from './application/identity/logout.js'
export {
  createNextGeneration,
  createOpenSession,
  type NextGeneration,
  type OpenSession,
} from './application/identity/open-session.js'
export type { Presented } from './application/identity/presented.js'
export { createRefresh, type Refresh, type RefreshParts } from './application/identity/refresh.js'
export {
  createStartSession,
  type StartLogin,
  type StartSessionParts,
} from './application/identity/start-login.js'
export { createStatelessAuthenticate } from './application/identity/stateless/authenticate.js'
export {
  createIssuePair,
  createStartStateless,
  type IssuePair,
  type PairedLogin,
} from './application/identity/stateless/issue-pair.js'
export { createStatelessLogout, type StatelessLogoutParts } from './application/identity/stateless/logout.js'
export {
  createStatelessRefresh,
  type StatelessRefreshParts,
} from './application/identity/stateless/refresh.js'
export { createAuditTrail, type AuditEntry, type AuditTrail } from './application/audit/audit-trail.js'
export { createListAudit, type ListAudit } from './application/audit/list-audit.js'
export {
  createLoginAs,
  type LoginAs,
  type LoginAsParts,
} from './application/identity/impersonation/login-as.js'
export {
  createLogoutAs,
  type LogoutAs,
  type LogoutAsParts,
} from './application/identity/impersonation/logout-as.js'
export {
  createReplaceSession,
  createReplaceStateless,
  type LoggedIn,
  type NextLogin,
  type ReplaceLogin,
} from './application/identity/impersonation/replace-login.js'
export {
  createRefuseLapsedSession,
  type RefuseLapsed,
} from './application/identity/impersonation/refuse-lapsed.js'
export {
  createRefuseLapsedLogin,
  type RefuseLapsedLogin,
} from './application/identity/stateless/refuse-lapsed.js'
export {
  createRequestPasswordReset,
  type RequestPasswordReset,
  type RequestPasswordResetParts,
} from './application/identity/password-reset/request-password-reset.js'
export {
  createLimitResetRequests,
  type LimitResetRequests,
} from './application/identity/password-reset/limit-reset-requests.js'
export {
  createConsumeResetToken,
  type ConsumeResetToken,
  type ConsumeResetTokenParts,
} from './application/identity/password-reset/consume-reset-token.js'
export {
  createRefuseImpersonatedSession,
  refuseImpersonatedToken,
  type RefuseImpersonated,
} from './application/identity/password-reset/refuse-impersonated.js'
export { createMakeMail, type MakeMail, type MakeMailParts } from './application/mail/make-mail.js'
export { createQueueMail, type QueueMail } from './application/mail/queue-mail.js'
export { createSiftMails, type SiftMails } from './application/mail/sift-mails.js'
export {
  createSendMails,
  type SendMails,
  type SendMailsParts,
  type SendOutcome,
} from './application/mail/send-mails.js'
export type { ClientContext } from './application/client-context.js'
export { createTimeOrderedIds, type TimeOrderedIds } from './application/time-ordered-ids.js'
export { createThrottle, type Throttle } from './application/identity/throttle.js'
export {
  createTokenSigner,
  type Authenticated,
  type TokenSignerParts,
} from './application/identity/token-signer.js'
export { createCreateProject, type CreateProject } from './application/project/create-project.js'
export { createPurgeExpired, type PurgeExpired, type PurgeExpiredParts } from './application/purge-expired.js'
export {
  createCopyStore,
  type CopiedKinds,
  type CopyOutcome,
  type CopyProgress,
  type CopyStore,
} from './application/copy-store.js'
export { createPurgeStore, type PurgeStore } from './application/purge-store.js'
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
  compilePermissions,
  DEFAULT_PERMISSIONS,
  type Permissions,
} from './domain/access/permissions.js'
export type {
  Action,
  Component,
  PermissionError,
  PermissionRules,
  GrantedTo,
  RoleRules,
} from './domain/access/permissions.js'
export type { Role } from './domain/access/role.js'
export { idempotencyKey, type IdempotencyKey } from './domain/catalogue/idempotency-key.js'
export { pageLimit, type PageLimit, type PetPage } from './domain/catalogue/page.js'
export { petIds, type PetIds } from './domain/catalogue/pet-ids.js'
export {
  CATEGORIES,
  category,
  petId,
  petName,
  petTag,
  type Pet,
  type PetDraft,
  type PetId,
} from './domain/catalogue/pet.js'
export { age, breed, type Traits, type TraitsChange } from './domain/catalogue/traits.js'
export { AUDIT_EVENTS, type AuditEvent, type AuditRecord } from './domain/audit.js'
export type { Account } from './domain/identity/account.js'
export type { CarriedLogin, ClaimedActor, Claims, TokenKind } from './domain/identity/claims.js'
export type { Lifetimes, ActiveSession, Session } from './domain/identity/session.js'
export type { Parsed } from './domain/parsed.js'
export type { Project } from './domain/project/project.js'
export {
  isRefusal,
  Refusal,
  REFUSAL_CODES,
  unavailable,
  type Message,
  type MessageType,
  type RefusalCode,
  type TooManyAttempts,
} from './domain/refusal.js'
export type { Accounts } from './ports/accounts.js'
export type {
  Attempt,
  AttemptCount,
  AttemptLimit,
  AttemptLimiter,
  AttemptOutcome,
} from './ports/attempt-limiter.js'
export type { AuditLog, AuditSink } from './ports/audit-log.js'
export type { Delivery, Mail, Mailer, MailTemplates } from './ports/mailer.js'
export type { MailQueue } from './ports/mail-queue.js'
export type { ApiKeys } from './ports/api-keys.js'
export type { Clock } from './ports/clock.js'
export type { PasswordHasher, Recognised } from './ports/password-hasher.js'
export type { Pets } from './ports/pets.js'
export type { Projects } from './ports/projects.js'
export type { Randomness } from './ports/randomness.js'
export type { Digest } from './ports/digest.js'
export type { PasswordVerification, VerificationCache } from './ports/verification-cache.js'
export type { Records } from './ports/records.js'
export type { Revocations, StatelessLogin } from './ports/revocations.js'
export type { Roles } from './ports/roles.js'
export type { ApiKeySecrets, ResetTokens, SessionKeys } from './ports/session-keys.js'
export type { Sessions } from './ports/sessions.js'
export type { Store } from './ports/store.js'
export { TOKEN_MAX, type PublicKey, type TokenFormat } from './ports/token-format.js'
export type { TokenSigner, Verification } from './ports/token-signer.js'
