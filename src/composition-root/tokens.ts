import type { Container } from 'inversify'
import type { AuditTrail } from '../application/audit/audit-trail.js'
import type { ListAudit } from '../application/audit/list-audit.js'
import type { LoginAs } from '../application/identity/impersonation/login-as.js'
import type { LogoutAs } from '../application/identity/impersonation/logout-as.js'
import type { ReplaceLogin } from '../application/identity/impersonation/replace-login.js'
import type { RequestPasswordReset } from '../application/identity/password-reset/request-password-reset.js'
import type { ConsumeResetToken } from '../application/identity/password-reset/consume-reset-token.js'
import type { RefuseLapsed } from '../application/identity/impersonation/refuse-lapsed.js'
import type { RefuseLapsedLogin } from '../application/identity/stateless/refuse-lapsed.js'
import type { RefuseImpersonated } from '../application/identity/password-reset/refuse-impersonated.js'
import type { MakeMail } from '../application/mail/make-mail.js'
import type { QueueMail } from '../application/mail/queue-mail.js'
import type { SiftMails } from '../application/mail/sift-mails.js'
import type { SendMails } from '../application/mail/send-mails.js'
import type { TimeOrderedIds } from '../application/time-ordered-ids.js'
import type { Authorize } from '../application/access/authorize.js'
import {
  forCallers,
  type AuthorizedName,
  type AuthorizedUseCases,
  type ForCallers,
} from '../application/access/required-permissions.js'
import type { CreateApiKey } from '../application/access/create-api-key.js'
import type { CreateRole } from '../application/access/create-role.js'
import type { AssignRole } from '../application/accounts/assign-role.js'
import type { CreateUser } from '../application/accounts/create-user.js'
import type { HashNewPassword } from '../application/accounts/hash-new-password.js'
import type { SetAllPasswords } from '../application/accounts/set-all-passwords.js'
import type { SetPassword } from '../application/accounts/set-password.js'
import type { AuthenticatePetClient, PetSecurity } from '../application/catalogue/authenticate-pet-client.js'
import type { CreatePet } from '../application/catalogue/create-pet.js'
import type { ListPets } from '../application/catalogue/list-pets.js'
import type { PatchPet } from '../application/catalogue/patch-pet.js'
import type { ReadPet } from '../application/catalogue/read-pet.js'
import type { ReadPets } from '../application/catalogue/read-pets.js'
import type { Authenticate } from '../application/identity/authenticate.js'
import type { CheckAccessToken } from '../application/identity/check-access-token.js'
import type { GetIdentity } from '../application/identity/get-identity.js'
import type { Issue } from '../application/identity/issue.js'
import type { Login } from '../application/identity/login.js'
import type { Logout } from '../application/identity/logout.js'
import type { NextGeneration, OpenSession } from '../application/identity/open-session.js'
import type { StartLogin } from '../application/identity/start-login.js'
import type { IssuePair } from '../application/identity/stateless/issue-pair.js'
import type { Refresh } from '../application/identity/refresh.js'
import type { CreateProject } from '../application/project/create-project.js'
import type { PurgeExpired } from '../application/purge-expired.js'
import type { ListUsers } from '../application/accounts/list-users.js'
import type { DisableUser } from '../application/accounts/disable-user.js'
import type { EnableUser } from '../application/accounts/enable-user.js'
import type { DeleteUser } from '../application/accounts/delete-user.js'
import type { ImportUsers } from '../application/accounts/import-users.js'
import type { ListRoles } from '../application/access/list-roles.js'
import type { ListSessions } from '../application/access/list-sessions.js'
import type { RevokeSessions } from '../application/access/revoke-sessions.js'
import type { ListApiKeys } from '../application/access/list-api-keys.js'
import type { RevokeApiKey } from '../application/access/revoke-api-key.js'
import type { CopyStore } from '../application/copy-store.js'
import type { PurgeStore } from '../application/purge-store.js'
import type { Permissions } from '../domain/access/permissions.js'
import type { Lifetimes } from '../domain/identity/session.js'
import type { Accounts } from '../ports/accounts.js'
import type { AttemptLimiter } from '../ports/attempt-limiter.js'
import type { ApiKeys } from '../ports/api-keys.js'
import type { AuditLog, AuditSink } from '../ports/audit-log.js'
import type { Clock } from '../ports/clock.js'
import type { MailQueue } from '../ports/mail-queue.js'
import type { Mailer, MailTemplates } from '../ports/mailer.js'
import type { Milliseconds } from '../domain/instant.js'
import type { Digest } from '../ports/digest.js'
import type { PasswordHasher } from '../ports/password-hasher.js'
import type { Pets } from '../ports/pets.js'
import type { Projects } from '../ports/projects.js'
import type { Randomness } from '../ports/randomness.js'
import type { Records } from '../ports/records.js'
import type { Revocations } from '../ports/revocations.js'
import type { Roles } from '../ports/roles.js'
import type { ApiKeySecrets, ResetTokens, SessionKeys } from '../ports/session-keys.js'
import type { Sessions } from '../ports/sessions.js'
import type { VerificationCache } from '../ports/verification-cache.js'
import type { TokenSigner } from '../ports/token-signer.js'

declare const provided: unique symbol
/** A container key that knows what it stands for, so that the compiler sees a swapped part. */
export type Token<T> = symbol & { readonly [provided]: (value: T) => T }

function token<T>(name: string): Token<T> {
  return Symbol(name) as Token<T>
}

/** Everything that the container holds, by the name that factories know it by. */
export const TOKENS = {
  accounts: token<Accounts>('accounts'),
  apiKeys: token<ApiKeys>('apiKeys'),
  pets: token<Pets>('pets'),
  projects: token<Projects>('projects'),
  roles: token<Roles>('roles'),
  sessions: token<Sessions>('sessions'),
  revocations: token<Revocations>('revocations'),
  attempts: token<AttemptLimiter>('attempts'),
  auditLog: token<AuditLog>('auditLog'),
  mailQueue: token<MailQueue>('mailQueue'),
  auditSinks: token<readonly AuditSink[]>('auditSinks'),
  operator: token<string>('operator'),
  timeOrderedIds: token<TimeOrderedIds>('timeOrderedIds'),
  audit: token<AuditTrail>('audit'),
  listAudit: token<ForCallers<ListAudit>>('listAudit'),
  replaceLogin: token<ReplaceLogin>('replaceLogin'),
  maxDuration: token<Milliseconds>('maxDuration'),
  loginAs: token<LoginAs>('loginAs'),
  logoutAs: token<LogoutAs>('logoutAs'),
  refuseLapsed: token<RefuseLapsed>('refuseLapsed'),
  refuseLapsedLogin: token<RefuseLapsedLogin>('refuseLapsedLogin'),
  refuseImpersonated: token<RefuseImpersonated>('refuseImpersonated'),
  resetTokens: token<ResetTokens>('resetTokens'),
  requestPasswordReset: token<RequestPasswordReset>('requestPasswordReset'),
  consumeResetToken: token<ConsumeResetToken>('consumeResetToken'),
  queueMail: token<QueueMail>('queueMail'),
  makeMail: token<MakeMail>('makeMail'),
  siftMails: token<SiftMails>('siftMails'),
  sendMails: token<SendMails>('sendMails'),
  mailer: token<Mailer>('mailer'),
  templates: token<MailTemplates>('templates'),
  resetTokenTtl: token<Milliseconds>('resetTokenTtl'),
  resetUrl: token<string>('resetUrl'),
  clock: token<Clock>('clock'),
  randomness: token<Randomness>('randomness'),
  hasher: token<PasswordHasher>('hasher'),
  basicHasher: token<PasswordHasher>('basicHasher'),
  verifications: token<VerificationCache>('verifications'),
  tokens: token<TokenSigner>('tokens'),
  sessionKeys: token<SessionKeys>('sessionKeys'),
  apiKeySecrets: token<ApiKeySecrets>('apiKeySecrets'),
  permissions: token<Permissions>('permissions'),
  lifetimes: token<Lifetimes>('lifetimes'),
  minPasswordLength: token<number>('minPasswordLength'),
  petSecurity: token<PetSecurity>('petSecurity'),
  authorize: token<Authorize>('authorize'),
  hashNewPassword: token<HashNewPassword>('hashNewPassword'),
  checkAccessToken: token<CheckAccessToken>('checkAccessToken'),
  authenticate: token<Authenticate>('authenticate'),
  nextGeneration: token<NextGeneration>('nextGeneration'),
  openSession: token<OpenSession>('openSession'),
  issue: token<Issue>('issue'),
  issuePair: token<IssuePair>('issuePair'),
  startLogin: token<StartLogin>('startLogin'),
  login: token<Login>('login'),
  getIdentity: token<GetIdentity>('getIdentity'),
  refresh: token<Refresh>('refresh'),
  logout: token<Logout>('logout'),
  authenticatePetClient: token<AuthenticatePetClient>('authenticatePetClient'),
  listPets: token<ForCallers<ListPets>>('listPets'),
  createPet: token<ForCallers<CreatePet>>('createPet'),
  readPet: token<ForCallers<ReadPet>>('readPet'),
  readPets: token<ForCallers<ReadPets>>('readPets'),
  patchPet: token<ForCallers<PatchPet>>('patchPet'),
  createProject: token<ForCallers<CreateProject>>('createProject'),
  createUser: token<ForCallers<CreateUser>>('createUser'),
  setPassword: token<ForCallers<SetPassword>>('setPassword'),
  setAllPasswords: token<ForCallers<SetAllPasswords>>('setAllPasswords'),
  assignRole: token<ForCallers<AssignRole>>('assignRole'),
  createRole: token<ForCallers<CreateRole>>('createRole'),
  createApiKey: token<ForCallers<CreateApiKey>>('createApiKey'),
  purgeExpired: token<PurgeExpired>('purgeExpired'),
  listUsers: token<ForCallers<ListUsers>>('listUsers'),
  disableUser: token<ForCallers<DisableUser>>('disableUser'),
  enableUser: token<ForCallers<EnableUser>>('enableUser'),
  deleteUser: token<ForCallers<DeleteUser>>('deleteUser'),
  importUsers: token<ForCallers<ImportUsers>>('importUsers'),
  listRoles: token<ForCallers<ListRoles>>('listRoles'),
  listSessions: token<ForCallers<ListSessions>>('listSessions'),
  revokeSessions: token<ForCallers<RevokeSessions>>('revokeSessions'),
  listApiKeys: token<ForCallers<ListApiKeys>>('listApiKeys'),
  revokeApiKey: token<ForCallers<RevokeApiKey>>('revokeApiKey'),
  purgeStore: token<ForCallers<PurgeStore>>('purgeStore'),
  copyStore: token<ForCallers<CopyStore>>('copyStore'),
  records: token<Records>('records'),
  digest: token<Digest>('digest'),
}

/** The factory with these of its parts in it already; the others are still asked for. */
export function applied<P extends object, K extends keyof P, T>(
  factory: (parts: P) => T,
  given: Pick<P, K>,
): (parts: Omit<P, K>) => T {
  return (parts) => factory({ ...parts, ...given } as unknown as P)
}

type Named<P> = { readonly [K in keyof P]: Token<P[K]> }

/**
 * Binds what a factory makes, once. The factory gets its parts as one object under the names it
 * asks for; each name is tied to a token of that very type.
 */
export function provide<P extends object, T>(
  container: Container,
  made: Token<T>,
  factory: (parts: P) => T,
  parts: Named<P>,
): void {
  const names = Object.keys(parts) as (keyof P & string)[]
  const build = (...values: unknown[]) =>
    factory(Object.fromEntries(names.map((name, index) => [name, values[index]])) as P)
  container
    .bind<T>(made)
    .toResolvedValue(build, names.map((name) => parts[name]) as never)
    .inSingletonScope()
}

/** The same for a use case whose permission is judged before it runs: the container has it as `ForCallers` says. */
export function provideForCallers<Name extends AuthorizedName, P extends object>(
  container: Container,
  name: Name,
  factory: (parts: P) => AuthorizedUseCases[Name],
  parts: Named<P>,
): void {
  const made = TOKENS[name] as Token<unknown>
  const build = ({ authorize, ...rest }: P & { authorize: Authorize }) =>
    forCallers(name, factory(rest as unknown as P), authorize)
  provide(container, made, build, { ...parts, authorize: TOKENS.authorize } as Named<
    P & { authorize: Authorize }
  >)
}
