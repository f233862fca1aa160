import type { Permissions } from '../domain/access/permissions.js'
import type { Email } from '../domain/identity/email.js'
import type { Lifetimes } from '../domain/identity/session.js'
import { createTimeOrderedIds, type Milliseconds } from '../domain/instant.js'
import type { NoticeTopic } from '../domain/mail.js'
import type { AttemptLimit } from '../ports/attempt-limiter.js'
import type { AuditLog, AuditSink } from '../ports/audit-log.js'
import type { AdmitAccount, NameClient, PreviousAnswer } from '../ports/callbacks.js'
import type { CopyableRecords } from '../ports/copyable-records.js'
import type { Log } from '../ports/log.js'
import type { Mailer, MailTemplates } from '../ports/mail.js'
import type { Metrics } from '../ports/metrics.js'
import type { PasskeyVerifier } from '../ports/passkeys.js'
import type { PasswordBlocklist, PasswordHasher, VerificationCache, VerifyFound } from '../ports/passwords.js'
import type { OneTimeCodes, SecretSeal } from '../ports/second-factors.js'
import type { ApiKeySecrets, ProofSecrets, SessionKeys } from '../ports/session-keys.js'
import type { OptionalPort, Store } from '../ports/store.js'
import type { Clock, Randomness, Digest } from '../ports/system.js'
import type { TokenSigner } from '../ports/tokens.js'
import { createAuthorize, type AuthorizeParts } from './access/authorize.js'
import { createRoleRoom } from './access/role-room.js'
import { createAssertWithin } from './access/within.js'
import { createHashNewPassword, createPasswordPolicy } from './accounts/passwords.js'
import { createAuditTrail, type AuditTrail } from './audit/audit-trail.js'
import type { PetSecurity } from './catalogue/authenticate-pet-client.js'
import type { FactorRoles } from './identity/identity-of.js'
import { createThrottle, networkLimitOf, type Throttle, type ThrottleParts } from './identity/throttle.js'
import { createNotices, createQueueMail, type Notices } from './mail/queue-mail.js'
import type { Retrying } from './retrying.js'
import type { CreatedParts, Rows } from './table.js'

/** The port `PreviousAccounts`, with a time limit for each call. */
export type LimitedPreviousAccounts = {
  verify(email: Email, password: string): Promise<PreviousAnswer>
}

/** The ports of a store, under the names used by use cases. */
export type StorePorts = Omit<Store, 'audit' | 'copyableRecords' | 'ready' | 'close'> & {
  readonly auditLog: AuditLog
}

/** A store's ports. Optional ports may be missing. */
export type PartialStorePorts = Omit<StorePorts, OptionalPort | 'auditLog'> &
  Partial<Pick<StorePorts, keyof StorePorts & (OptionalPort | 'auditLog')>>

export type CopySource = { readonly copyableRecords: CopyableRecords }

/** The parts that use cases need but that are not use cases: ports and settings. */
export type Infrastructure = StorePorts & {
  readonly clock: Clock
  readonly randomness: Randomness
  readonly digest: Digest
  readonly hasher: PasswordHasher
  /** Verifies HTTP Basic credentials; see `boundVerifications` and `createVerificationCache`. */
  readonly verifyBasic: VerifyFound
  readonly verifications: VerificationCache
  readonly apiKeySecrets: ApiKeySecrets
  readonly proofSecrets: ProofSecrets
  readonly permissions: Permissions
  readonly lifetimes: Lifetimes
  /** The issuer of tokens that contain the roles of an account; `undefined` if tokens contain no roles. */
  readonly tokenIssuer: string | undefined
  /** The roles that apply only in a login with a second factor; `undefined` if every role always applies. */
  readonly factorRoles: FactorRoles | undefined
  /** Absent if passkeys are off; the use cases that need it are then also absent. */
  readonly passkeyVerifier: PasskeyVerifier
  /** The limit of login attempts for one account from one network; `undefined` if login attempts are not limited. */
  readonly loginLimit: AttemptLimit | undefined
  /** The maximum number of sessions of an account; `undefined` means no limit. Ignored in stateless mode. */
  readonly sessionLimit: number | undefined
  /** Whether a login can request a cookie that outlives the browser session. Ignored in stateless mode. */
  readonly rememberLogin: boolean | undefined
  /** `undefined` if clients are not named. */
  readonly nameClient: NameClient | undefined
  /** The maximum duration of an impersonation. */
  readonly impersonationTtl: Milliseconds
  readonly minPasswordLength: number
  /** `undefined` if only the length is checked. */
  readonly passwordBlocklist: PasswordBlocklist | undefined
  readonly petSecurity: PetSecurity
  readonly signUp: SignUp
  /** Decides who may sign up; `undefined` if every email may. */
  readonly admitAccount: AdmitAccount | undefined
  /** The previous system, whose accounts move to Kennel when their users first log in; `undefined` if not configured. */
  readonly previousAccounts: LimitedPreviousAccounts | undefined
  readonly auditSinks: readonly AuditSink[]
  /** How long audit records are kept; `undefined` means forever. */
  readonly auditRetention: Milliseconds | undefined
  /** Whether the `flush` of the audit trail is called regularly; see `createAuditTrail`. */
  readonly auditBatched: boolean
  readonly onAuditLost: ((error: unknown) => void) | undefined
  /** The name under which the audit log records the operator at the command line. */
  readonly operator: string
  /** The topics of notices; empty if no emails can be sent. */
  readonly noticeTopics: readonly NoticeTopic[]
  readonly onMailQueued: (() => void) | undefined
  /** Lets long operator tasks wait for a slow store; absent in a service, whose requests must not wait. */
  readonly retrying?: Retrying | undefined
  readonly log: Log | undefined
  /** Counts logins and refreshes; the store and the hasher report their own metrics. */
  readonly metrics: Metrics | undefined
}

/** How people sign up; `invited` means only by invitation. `domains` is empty if every domain is permitted. */
export type SignUp = { readonly mode: 'on' | 'approval' | 'invited'; readonly domains: readonly string[] }

export type Credentials = {
  readonly tokens: TokenSigner
  readonly sessionKeys: SessionKeys
  readonly secretSeal: SecretSeal
  readonly oneTimeCodes: OneTimeCodes
}

export type MailParts = {
  readonly mailer: Mailer
  readonly templates: MailTemplates
  readonly resetTokenTtl: Milliseconds
  readonly resetUrl: string
  readonly confirmUrl: string
  readonly audit: AuditTrail
}

type LoginLimit = { readonly loginLimit?: AttemptLimit | undefined }

const AUTHORIZE_PARTS = {
  parts: ['permissions', 'clock', 'passkeyVerifier'],
  optional: ['passkeyVerifier'],
} as const

/** The parts that are not specific to identity operations. */
export const SHARED = {
  authorize: {
    factory: (parts: AuthorizeParts) =>
      createAuthorize(parts.permissions, parts.clock, parts.passkeyVerifier !== undefined),
    ...AUTHORIZE_PARTS,
  },
  assertWithin: { factory: createAssertWithin, ...AUTHORIZE_PARTS },
  roleRoom: { factory: createRoleRoom, parts: ['roles', 'tokenIssuer'], optional: ['roles'] },
  timeOrderedIds: { factory: createTimeOrderedIds, parts: ['randomness'] },
  audit: {
    factory: createAuditTrail,
    parts: ['operator', 'timeOrderedIds', 'digest', 'clock'],
    renamed: { sinks: 'auditSinks', batched: 'auditBatched', onLost: 'onAuditLost' },
  },
  queueMail: {
    factory: createQueueMail,
    parts: ['mailQueue', 'timeOrderedIds', 'clock'],
    renamed: { onQueued: 'onMailQueued' },
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
    factory: ({ loginLimit: limit, ...parts }: ThrottleParts & LoginLimit) =>
      limit && createThrottle({ ...parts, limit }),
    parts: ['loginLimit', 'attempts', 'digest', 'clock'],
  },
  networkLimit: {
    factory: ({ loginLimit }: LoginLimit) => loginLimit && networkLimitOf(loginLimit),
    parts: ['loginLimit'],
  },
} as const satisfies Rows

/** The infrastructure, and the parts that are not specific to identity operations. */
export type SharedParts = Infrastructure &
  Credentials &
  Omit<CreatedParts<typeof SHARED>, 'notices'> & {
    readonly codeThrottle: Throttle
    /** `undefined` if accounts are not notified by email. */
    readonly notices: Notices | undefined
  }

type MaybeUndefined<Parts> = {
  [Name in keyof Parts]-?: undefined extends Parts[Name] ? Name : never
}[keyof Parts]

/** An object with the parts that have these names. A caller may omit the parts in `Optional` and every part that can be `undefined`. */
export type PartsFrom<Parts, Name, Optional = never> = {
  readonly [N in Exclude<keyof Parts & Name, MaybeUndefined<Parts> | Optional>]: Parts[N]
} & {
  readonly [N in Extract<keyof Parts & Name, MaybeUndefined<Parts> | Optional>]?: Parts[N] | undefined
}

export type GivenShared<
  Names extends readonly (keyof SharedParts)[],
  Optional extends readonly (keyof SharedParts)[] = readonly [],
> = PartsFrom<SharedParts, Names[number], Optional[number]>
