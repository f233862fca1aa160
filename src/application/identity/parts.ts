import type { Lifetimes } from '../../domain/identity/session.js'
import type { Metrics } from '../../ports/metrics.js'
import type { Randomness } from '../../ports/randomness.js'
import type { TokenSigner } from '../../ports/token-signer.js'
import { createAuthenticate } from './authenticate.js'
import { createBeginSession } from './begin-login.js'
import { createChangePassword } from './change-password.js'
import { createCheckAccessToken, type CheckAccessToken } from './check-access-token.js'
import { createDeleteAccount } from './delete-account.js'
import { createGetIdentity } from './get-identity.js'
import { createIdentifyPage } from './identify-page.js'
import { createLoginAs } from './impersonation/login-as.js'
import { createLogoutAs } from './impersonation/logout-as.js'
import { createRefuseLapsedSession } from './impersonation/refuse-lapsed.js'
import { createRefusedImpersonation } from './impersonation/refused.js'
import { createReplaceSession } from './impersonation/replace-login.js'
import { createIssue } from './issue.js'
import { createLogin, type LoginParts } from './login.js'
import { createLogout } from './logout.js'
import { createNextGeneration, createOpenSession } from './open-session.js'
import { createEndOwnSessions, createListOwnSessions } from './own-sessions.js'
import { createConsumeResetToken } from './password-reset/consume-reset-token.js'
import { createLimitResetRequests } from './password-reset/limit-reset-requests.js'
import { createRefuseImpersonatedSession } from './password-reset/refuse-impersonated.js'
import { createRequestPasswordReset } from './password-reset/request-password-reset.js'
import { presented, type Presented } from './presented.js'
import { createRefresh } from './refresh.js'
import { createStartSession } from './start-login.js'
import { createTellNewClient } from './tell-new-client.js'
import { createQueueMail } from '../mail/queue-mail.js'
import { meterLogin } from '../metering/meter-login.js'
import type { Rows } from '../table.js'

/** What there is of logins and password resets, whatever proves an identity. */
export const IDENTITY = {
  checkAccessToken: { factory: createCheckAccessToken, parts: ['tokens', 'clock'] },
  /** `GetIdentity`, for credentials as they came: `authenticate` checks them. */
  getIdentity: {
    factory: createGetIdentity<Presented>,
    parts: ['authenticate', 'authorize'],
  },
  /** `Login`, for credentials as they came. */
  login: {
    factory: ({ metrics, ...parts }: LoginParts & Checked & Metered) =>
      meterLogin(presented(createLogin)(parts), metrics),
    parts: [
      'checkAccessToken',
      'authorize',
      'accounts',
      'hasher',
      'startLogin',
      'throttle',
      'proveFactor',
      'audit',
      'clock',
      'metrics',
    ],
    optional: ['proveFactor'],
  },
  /** `DeleteAccount`, for credentials as they came. */
  deleteAccount: {
    factory: presented(createDeleteAccount),
    parts: [
      'checkAccessToken',
      'authenticate',
      'authorize',
      'accounts',
      'hasher',
      'throttle',
      'audit',
      'auditLog',
      'mailQueue',
      'proveFactor',
    ],
    optional: ['auditLog', 'mailQueue', 'proveFactor'],
  },
  queueMail: {
    factory: createQueueMail,
    parts: ['mailQueue', 'timeOrderedIds', 'clock'],
    renamed: { onQueued: 'onMailQueued' },
  },
  /** `ChangePassword`, for credentials as they came. */
  changePassword: {
    factory: presented(createChangePassword),
    parts: [
      'checkAccessToken',
      'authenticate',
      'authorize',
      'accounts',
      'hasher',
      'passwordPolicy',
      'beginLogin',
      'notices',
      'throttle',
      'audit',
    ],
  },
  limitResetRequests: {
    factory: createLimitResetRequests,
    parts: ['networkLimit', 'attempts', 'digest', 'clock'],
  },
  /** `RequestPasswordReset`, for credentials as they came. */
  requestPasswordReset: {
    factory: presented(createRequestPasswordReset),
    parts: [
      'checkAccessToken',
      'authorize',
      'refuseImpersonated',
      'queueMail',
      'limitResetRequests',
      'clock',
    ],
  },
  /** `ConsumeResetToken`, for credentials as they came. */
  consumeResetToken: {
    factory: presented(createConsumeResetToken),
    parts: [
      'checkAccessToken',
      'authorize',
      'refuseImpersonated',
      'accounts',
      'hasher',
      'passwordPolicy',
      'resetTokens',
      'queueMail',
      'throttle',
      'audit',
      'clock',
      'log',
    ],
  },
} as const satisfies Rows

type Checked = { checkAccessToken: CheckAccessToken }
type Metered = { metrics?: Metrics | undefined }

/** Where session cookie and token together prove an identity. */
export const SESSIONS = {
  refuseLapsed: {
    factory: createRefuseLapsedSession,
    parts: ['permissions', 'sessions', 'audit', 'factorRoles'],
  },
  /** `Authenticate`, for credentials as they came. */
  authenticate: {
    factory: presented(createAuthenticate),
    parts: ['checkAccessToken', 'sessions', 'sessionKeys', 'refuseLapsed', 'audit', 'clock', 'factorRoles'],
  },
  identifyPage: {
    factory: createIdentifyPage,
    parts: ['sessions', 'sessionKeys', 'refuseLapsed', 'authorize', 'clock', 'factorRoles'],
  },
  issue: { factory: createIssue, parts: ['tokens', 'lifetimes', 'factorRoles'] },
  nextGeneration: {
    factory: (parts: { tokens: TokenSigner; lifetimes: Lifetimes; randomness: Randomness }) =>
      createNextGeneration({ ...parts, currentKid: parts.tokens.currentKid }),
    parts: ['tokens', 'lifetimes', 'randomness'],
  },
  openSession: {
    factory: createOpenSession,
    parts: [
      'sessions',
      'sessionKeys',
      'nextGeneration',
      'lifetimes',
      'randomness',
      'clock',
      'nameClient',
      'sessionLimit',
      'log',
    ],
  },
  beginLogin: { factory: createBeginSession, parts: ['openSession', 'issue'] },
  tellNewClient: { factory: createTellNewClient, parts: ['sessions', 'notices'] },
  startLogin: {
    factory: createStartSession,
    parts: ['sessions', 'sessionKeys', 'openSession', 'issue', 'tellNewClient', 'audit', 'clock'],
  },
  /** `Refresh`, for credentials as they came. */
  refresh: {
    factory: presented(createRefresh),
    parts: [
      'checkAccessToken',
      'authorize',
      'tokens',
      'sessions',
      'sessionKeys',
      'nextGeneration',
      'issue',
      'refuseLapsed',
      'lifetimes',
      'attempts',
      'notices',
      'audit',
      'clock',
      'factorRoles',
    ],
  },
  /** `Logout`, for credentials as they came. */
  logout: {
    factory: presented(createLogout),
    parts: ['checkAccessToken', 'authorize', 'sessions', 'sessionKeys', 'audit', 'clock', 'factorRoles'],
  },
  replaceLogin: { factory: createReplaceSession, parts: ['sessions', 'beginLogin'] },
  /** `ListOwnSessions`, for credentials as they came. */
  listOwnSessions: {
    factory: presented(createListOwnSessions),
    parts: ['checkAccessToken', 'authenticate', 'authorize', 'sessions', 'clock'],
  },
  /** `EndOwnSessions`, for credentials as they came. */
  endOwnSessions: {
    factory: presented(createEndOwnSessions),
    parts: ['checkAccessToken', 'authenticate', 'authorize', 'sessions', 'audit', 'clock'],
  },
  refuseImpersonated: {
    factory: createRefuseImpersonatedSession,
    parts: ['sessions', 'sessionKeys', 'refuseLapsed', 'clock'],
  },
} as const satisfies Rows

/** Where a login can be ended, so that another one can take its place. */
export const IMPERSONATION = {
  /** `LoginAs`, for credentials as they came. */
  loginAs: {
    factory: presented(createLoginAs),
    parts: [
      'checkAccessToken',
      'authenticate',
      'authorize',
      'permissions',
      'accounts',
      'replaceLogin',
      'audit',
      'clock',
      'secondFactors',
      'proveFactor',
    ],
    optional: ['secondFactors', 'proveFactor'],
    renamed: { maxDuration: 'impersonationTtl' },
  },
  /** `LogoutAs`, for credentials as they came. */
  logoutAs: {
    factory: presented(createLogoutAs),
    parts: [
      'checkAccessToken',
      'authenticate',
      'authorize',
      'accounts',
      'replaceLogin',
      'audit',
      'factorRoles',
    ],
  },
} as const satisfies Rows

/** Where none can: every call is refused. */
export const NO_IMPERSONATION = {
  /** `LoginAs`, for credentials as they came. */
  loginAs: { factory: presented(createRefusedImpersonation), parts: ['checkAccessToken', 'authenticate'] },
  /** `LogoutAs`, for credentials as they came. */
  logoutAs: { factory: presented(createRefusedImpersonation), parts: ['checkAccessToken', 'authenticate'] },
} as const satisfies Rows
