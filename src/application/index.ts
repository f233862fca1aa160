/**
 * Every use case as a factory that takes its parts, for a program that composes them by hand instead of opening a
 * Kennel: `createLogin({ accounts, hasher, … })`. The function types are those of a Kennel's methods. The parts are
 * ports, of `kennel-id/ports`, and other use cases; what goes in and out is of `kennel-id`.
 */
export { createAuthorize, type Authorize } from './access/authorize.js'
export { createCreateApiKey, type CreateApiKey } from './access/create-api-key.js'
export { createCreateRole, type CreateRole } from './access/create-role.js'
export { createListApiKeys, type ListApiKeys } from './access/list-api-keys.js'
export { createListRoles, type ListRoles } from './access/list-roles.js'
export { createListSessions, type ListSessions } from './access/list-sessions.js'
export type { AllByCaller, AllForCallers, AskedBy, ByCaller, ForCallers } from './access/for-callers.js'
export { createRevokeApiKey, type RevokeApiKey } from './access/revoke-api-key.js'
export { createRevokeSessions, type RevokeSessions } from './access/revoke-sessions.js'
export { createAssignRole, type AssignRole } from './accounts/assign-role.js'
export { createCreateUser, type CreateUser } from './accounts/create-user.js'
export { createDeleteUser, type DeleteUser } from './accounts/delete-user.js'
export { createExportUser, type ExportUser, type ExportUserParts } from './accounts/export-user.js'
export { type RemoveAccountParts } from './accounts/remove-account.js'
export {
  createDeleteAccount,
  type DeleteAccount,
  type DeleteAccountParts,
} from './identity/delete-account.js'
export { createDisableUser, type DisableUser } from './accounts/disable-user.js'
export { createEnableUser, type EnableUser } from './accounts/enable-user.js'
export { createGetUser, type GetUser, type GetUserParts } from './accounts/get-user.js'
export {
  createHashNewPassword,
  type AuthorizedPassword,
  type HashNewPassword,
} from './accounts/hash-new-password.js'
export {
  createImportUsers,
  type ImportUser,
  type ImportUsers,
  type ImportUsersParts,
} from './accounts/import-users.js'
export {
  createListDuplicateUsers,
  type DuplicateUser,
  type ListDuplicateUsers,
} from './accounts/list-duplicate-users.js'
export { createListUsers, type ListUsers, type ListUsersParts } from './accounts/list-users.js'
export {
  createReadUserFactor,
  createRemoveUserFactor,
  type ReadUserFactor,
  type RemoveUserFactor,
  type UserFactorRequest,
} from './accounts/user-factor.js'
export { createPasswordPolicy, type PasswordPolicy } from './accounts/password-policy.js'
export { createSetAllPasswords, type SetAllPasswords } from './accounts/set-all-passwords.js'
export { createSetPassword, type SetPassword, type SetPasswordParts } from './accounts/set-password.js'
export { createAuditTrail, type AuditEntry, type AuditTrail } from './audit/audit-trail.js'
export { createListAudit, type ListAudit } from './audit/list-audit.js'
export {
  createAuthenticatePetClient,
  type AuthenticatePetClient,
  type AuthenticatePetClientParts,
} from './catalogue/authenticate-pet-client.js'
export { createCreatePet, type CreatePet } from './catalogue/create-pet.js'
export { createListPets, type ListPets } from './catalogue/list-pets.js'
export { createPatchPet, type PatchPet } from './catalogue/patch-pet.js'
export { createReadPet, type ReadPet } from './catalogue/read-pet.js'
export { createReadPets, type ReadPets } from './catalogue/read-pets.js'
export { createRemovePet, type RemovePet } from './catalogue/remove-pet.js'
export {
  createCopyStore,
  type CopiedKinds,
  type CopyOutcome,
  type CopyProgress,
  type CopyStore,
} from './copy-store.js'
export { createAuthenticate, type Authenticate } from './identity/authenticate.js'
export { createBeginSession, createBeginStateless, type BeginLogin } from './identity/begin-login.js'
export {
  createChangePassword,
  type ChangePassword,
  type ChangePasswordParts,
} from './identity/change-password.js'
export { createCheckAccessToken, type CheckAccessToken } from './identity/check-access-token.js'
export type { AsPresented, CheckedCredentials, ForPresented } from './identity/presented.js'
export { createGetIdentity, type GetIdentity } from './identity/get-identity.js'
export { createIdentifyPage, type IdentifyPage, type PresentedPage } from './identity/identify-page.js'
export { createLoginAs, type LoginAs, type LoginAsParts } from './identity/impersonation/login-as.js'
export { createLogoutAs, type LogoutAs, type LogoutAsParts } from './identity/impersonation/logout-as.js'
export { createRefuseLapsedSession, type RefuseLapsed } from './identity/impersonation/refuse-lapsed.js'
export {
  createReplaceSession,
  createReplaceStateless,
  type LoggedIn,
  type NextLogin,
  type ReplaceLogin,
} from './identity/impersonation/replace-login.js'
export { createIssue, type Issue } from './identity/issue.js'
export { createLogin, type Login, type LoginParts } from './identity/login.js'
export { createLogout, type Logout, type LogoutParts } from './identity/logout.js'
export {
  createNextGeneration,
  createOpenSession,
  type LoginTerms,
  type NextGeneration,
  type OpenSession,
  type OpenSessionParts,
} from './identity/open-session.js'
export {
  createEndOwnSessions,
  createListOwnSessions,
  type EndOwnSessions,
  type EndOwnSessionsParts,
  type ListOwnSessions,
  type ListOwnSessionsParts,
} from './identity/own-sessions.js'
export {
  createConsumeResetToken,
  type ConsumeResetToken,
  type ConsumeResetTokenParts,
} from './identity/password-reset/consume-reset-token.js'
export {
  createLimitResetRequests,
  type LimitResetRequests,
} from './identity/password-reset/limit-reset-requests.js'
export {
  createRefuseImpersonatedSession,
  refuseImpersonatedToken,
  type RefuseImpersonated,
} from './identity/password-reset/refuse-impersonated.js'
export {
  createRequestPasswordReset,
  type RequestPasswordReset,
  type RequestPasswordResetParts,
} from './identity/password-reset/request-password-reset.js'
export {
  createConfirmSecondFactor,
  type ConfirmSecondFactor,
  type ConfirmSecondFactorParts,
} from './identity/second-factor/confirm-second-factor.js'
export type { OwnProofParts } from './identity/second-factor/own-proof.js'
export type { OwnFactorParts, OwnPasswordParts } from './identity/second-factor/own-account.js'
export {
  createProveFactor,
  type FactorOwner,
  type ProveFactor,
  type ProveFactorParts,
} from './identity/second-factor/prove-factor.js'
export {
  createReadSecondFactor,
  type FactorStatusParts,
  type ReadSecondFactor,
} from './identity/second-factor/read-second-factor.js'
export {
  createRemoveSecondFactor,
  type RemoveSecondFactor,
  type RemoveSecondFactorParts,
} from './identity/second-factor/remove-second-factor.js'
export {
  createRenewRecoveryCodes,
  type RenewRecoveryCodes,
  type RenewRecoveryCodesParts,
} from './identity/second-factor/renew-recovery-codes.js'
export {
  createSetUpSecondFactor,
  type SetUpSecondFactor,
  type SetUpSecondFactorParts,
} from './identity/second-factor/set-up-second-factor.js'
export type { FactorRoles } from './identity/factor-roles.js'
export { createRefresh, type Refresh, type RefreshParts } from './identity/refresh.js'
export { createTellNewClient, type BegunLogin, type TellNewClient } from './identity/tell-new-client.js'
export {
  createStartSession,
  createStartStateless,
  type StartLogin,
  type StartSessionParts,
} from './identity/start-login.js'
export { createStatelessAuthenticate } from './identity/stateless/authenticate.js'
export {
  createIssuePair,
  type IssuePair,
  type PairedLogin,
  type SignPairParts,
} from './identity/stateless/issue-pair.js'
export { createStatelessLogout, type StatelessLogoutParts } from './identity/stateless/logout.js'
export {
  createIssueNextPair,
  createRotatePair,
  type RenewPair,
  type RotatePairParts,
} from './identity/stateless/renew-pair.js'
export type { CurrentFactorParts } from './identity/stateless/current-factor.js'
export type { Retrying, WithRetrying } from './retrying.js'
export { createStatelessRefresh, type StatelessRefreshParts } from './identity/stateless/refresh.js'
export { createRefuseLapsedLogin, type RefuseLapsedLogin } from './identity/stateless/refuse-lapsed.js'
export { createCodeThrottle, createThrottle, type Throttle, type ThrottleParts } from './identity/throttle.js'
export { createTokenSigner, type Authenticated, type TokenSignerParts } from './identity/token-signer.js'
export { createMakeMail, type MakeMail, type MakeMailParts } from './mail/make-mail.js'
export { createNotices, type Notice, type Notices, type NoticesParts } from './mail/notices.js'
export { createQueueMail, type QueueMail } from './mail/queue-mail.js'
export { createSendMails, type SendMails, type SendMailsParts, type SendOutcome } from './mail/send-mails.js'
export { createSiftMails, type SiftMails } from './mail/sift-mails.js'
export { createCloseProject, type CloseProject } from './project/close-project.js'
export { createCreateProject, type CreateProject } from './project/create-project.js'
export { createListProjects, type ListProjects } from './project/list-projects.js'
export { createReadProject, type ReadProject } from './project/read-project.js'
export { createPurgeExpired, type PurgeExpired, type PurgeExpiredParts } from './purge-expired.js'
export { createPurgeStore, type PurgeStore } from './purge-store.js'
export type { Administration, UseCases } from './use-cases.js'
export { createTimeOrderedIds, type TimeOrderedIds } from './time-ordered-ids.js'
export type { PermissionError } from '../domain/access/components.js'
export { compilePermissions, type Permissions } from '../domain/access/permissions.js'
export type { Lifetimes } from '../domain/identity/session.js'
