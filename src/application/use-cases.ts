import type { Permissions } from '../domain/access/permissions.js'
import type { AttemptLimit } from '../ports/attempt-limiter.js'
import { createAuthorize } from './access/authorize.js'
import { createCreateApiKey } from './access/create-api-key.js'
import { createCreateRole } from './access/create-role.js'
import { createListApiKeys } from './access/list-api-keys.js'
import { createListRoles } from './access/list-roles.js'
import { createListSessions } from './access/list-sessions.js'
import { createRevokeApiKey } from './access/revoke-api-key.js'
import { createRevokeSessions } from './access/revoke-sessions.js'
import { createHashNewPassword } from './accounts/hash-new-password.js'
import { ACCOUNTS } from './accounts/use-cases.js'
import { createPasswordPolicy } from './accounts/password-policy.js'
import { createAuditTrail } from './audit/audit-trail.js'
import { createListAudit } from './audit/list-audit.js'
import { CATALOGUE } from './catalogue/use-cases.js'
import { createCopyStore } from './copy-store.js'
import { SECOND_FACTOR } from './identity/second-factor/use-cases.js'
import { createThrottle, networkLimitOf } from './identity/throttle.js'
import { IRREVOCABLE, REVOCABLE, STATELESS } from './identity/stateless/use-cases.js'
import { IDENTITY, IMPERSONATION, NO_IMPERSONATION, SESSIONS } from './identity/use-cases.js'
import type { CopySource, Credentials, Infrastructure, MailParts } from './infrastructure.js'
import { createNotices } from './mail/notices.js'
import { MAIL } from './mail/use-cases.js'
import { createPurgeExpired } from './purge-expired.js'
import { createPurgeStore } from './purge-store.js'
import type { AllByCaller, Permission } from './access/for-callers.js'
import type { OptionalPort } from '../ports/store.js'
import {
  wired,
  type Made,
  type MadeBy,
  type Row,
  type Rows,
  type Table,
  type UnmadeWithout,
} from './table.js'
import { createTimeOrderedIds } from './time-ordered-ids.js'

/** What several use cases need. */
const SHARED = {
  authorize: {
    factory: ({ permissions }: { permissions: Permissions }) => createAuthorize(permissions),
    parts: ['permissions'],
    atOnce: true,
  },
  timeOrderedIds: { factory: createTimeOrderedIds, parts: ['randomness'] },
  audit: {
    factory: createAuditTrail,
    parts: ['operator', 'timeOrderedIds', 'digest', 'clock'],
    renamed: { sinks: 'auditSinks', batched: 'auditBatched', onLost: 'onAuditLost' },
  },
  notices: {
    factory: createNotices,
    parts: ['mailQueue', 'timeOrderedIds', 'clock', 'log'],
    renamed: { topics: 'noticeTopics', onQueued: 'onMailQueued' },
    optional: ['mailQueue'],
  },
  passwordPolicy: {
    factory: createPasswordPolicy,
    parts: [],
    renamed: { minLength: 'minPasswordLength', blocklist: 'passwordBlocklist' },
  },
  hashNewPassword: { factory: createHashNewPassword, parts: ['hasher', 'passwordPolicy'] },
  throttle: {
    factory: ({ loginLimit: limit, ...parts }: Limited & Omit<ThrottleParts, 'limit'>) =>
      limit && createThrottle({ ...parts, limit }),
    parts: ['loginLimit', 'attempts', 'digest', 'clock'],
  },
  networkLimit: {
    factory: ({ loginLimit }: Limited) => loginLimit && networkLimitOf(loginLimit),
    parts: ['loginLimit'],
  },
} as const satisfies Rows

type ThrottleParts = Parameters<typeof createThrottle>[0]
type Limited = { loginLimit: AttemptLimit | undefined }

const ACCESS = {
  createRole: { factory: createCreateRole, parts: ['roles', 'randomness'], permission: ['role', 'create'] },
  listRoles: { factory: createListRoles, parts: ['roles'], permission: ['role', 'list'] },
  createApiKey: {
    factory: createCreateApiKey,
    parts: ['apiKeys', 'audit', 'clock'],
    permission: ['apikey', 'create'],
    renamed: { secrets: 'apiKeySecrets' },
  },
  listApiKeys: { factory: createListApiKeys, parts: ['apiKeys'], permission: ['apikey', 'list'] },
  revokeApiKey: {
    factory: createRevokeApiKey,
    parts: ['apiKeys', 'audit', 'clock'],
    permission: ['apikey', 'revoke'],
  },
  listSessions: {
    factory: createListSessions,
    parts: ['accounts', 'sessions', 'clock'],
    permission: ['session', 'list'],
  },
  revokeSessions: {
    factory: createRevokeSessions,
    parts: ['accounts', 'sessions', 'audit'],
    permission: ['session', 'revoke'],
  },
  listAudit: {
    factory: createListAudit,
    parts: ['accounts'],
    permission: ['audit', 'list'],
    renamed: { audit: 'auditLog' },
  },
} as const satisfies Rows

const STORE = {
  purgeExpired: {
    factory: createPurgeExpired,
    parts: ['sessions', 'revocations', 'attempts', 'pets', 'auditLog', 'auditRetention', 'clock'],
    optional: ['revocations', 'pets', 'auditLog'],
  },
  purgeStore: {
    factory: createPurgeStore,
    parts: ['purgeExpired', 'retrying'],
    optional: ['retrying'],
    permission: ['store', 'purge'],
  },
} as const satisfies Rows

/** Of a store that can be copied. */
const COPYING = {
  copyStore: {
    factory: createCopyStore,
    parts: ['digest'],
    renamed: { source: 'records' },
    permission: ['store', 'copy'],
  },
} as const satisfies Rows

const WITHOUT_CREDENTIALS = { ...SHARED, ...ACCOUNTS, ...ACCESS, ...STORE, ...CATALOGUE }
const COMMON = { ...WITHOUT_CREDENTIALS, ...IDENTITY, ...SECOND_FACTOR }
const SESSION_ROWS = { ...COMMON, ...SESSIONS, ...IMPERSONATION }
const TOKEN_ROWS = { ...COMMON, ...STATELESS, ...IRREVOCABLE, ...NO_IMPERSONATION }
const withCredentials = wired<Infrastructure & Credentials>()
const SESSION_TABLE = withCredentials(SESSION_ROWS)
const REVOCABLE_TABLE = withCredentials({ ...COMMON, ...STATELESS, ...REVOCABLE, ...IMPERSONATION })
const TOKEN_TABLE = withCredentials(TOKEN_ROWS)

/** What an operator's command works with: it has no credentials of anybody. */
export const OPERATION_TABLE = wired<Infrastructure & CopySource>()({ ...WITHOUT_CREDENTIALS, ...COPYING })

/** What sends mails, where any can be sent. */
export const MAIL_TABLE = wired<Infrastructure & MailParts>()(MAIL)

/** What proves an identity: session and token together, or a token alone, which can be revoked or cannot. */
export type Mode = 'stateful' | 'stateless-revocable' | 'stateless'

/**
 * Every use case and the parts that they share, by its name.
 *
 * @interface
 */
export type UseCases = Pick<
  MadeBy<typeof SESSION_TABLE>,
  keyof MadeBy<typeof SESSION_TABLE> & keyof MadeBy<typeof TOKEN_TABLE>
>

/**
 * The use cases, and the sending of mails, that cannot be made of a store without these ports; see the rows above. A
 * store with no `revocations` has them all: what needs that port is stateless mode with revocation.
 */
export type AbsentWithout<Missing extends OptionalPort> = Missing extends OptionalPort
  ? | UnmadeWithout<typeof SESSION_ROWS, PartOf<Missing>>
    | UnmadeWithout<typeof TOKEN_ROWS, PartOf<Missing>>
    | UnmadeWithout<typeof MAIL, PartOf<Missing>>
  : never

/** As use cases call the port. */
type PartOf<Port> = Port extends 'audit' ? 'auditLog' : Port

/** Use cases of a store that may lack ports: those that may be absent for it may be `undefined`. */
export type Offered<Cases> = Omit<Cases, AbsentWithout<OptionalPort>> &
  Partial<Pick<Cases, keyof Cases & AbsentWithout<OptionalPort>>>

/** Those for which no credentials are needed. */
export type Operations = MadeBy<typeof OPERATION_TABLE>

/**
 * What operators do with accounts, roles, keys and sessions, and what they read of the audit log.
 *
 * @interface
 */
export type Administration = Made<typeof ACCOUNTS & typeof ACCESS>

/** What operators do; each takes the caller, such as `OPERATOR`. */
export type OperatorUseCases = AllByCaller<Administration>

export const USE_CASE_TABLES: Readonly<Record<Mode, Table<Infrastructure & Credentials, UseCases>>> = {
  stateful: SESSION_TABLE,
  'stateless-revocable': REVOCABLE_TABLE,
  stateless: TOKEN_TABLE,
}

/** What a use case needs of its caller, component and action; `undefined` where it takes no proof. */
export function permissionOf(name: string): Permission | undefined {
  return rowOf(name)?.permission
}

/** Whether a use case answers at once, and not by a promise. */
export function answersAtOnce(name: string): boolean {
  return rowOf(name)?.atOnce === true
}

function rowOf(name: string): Row | undefined {
  const { rows } = SESSION_TABLE
  return Object.hasOwn(rows, name) ? rows[name] : undefined
}
