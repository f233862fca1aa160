import type { Permissions } from '../domain/access/permissions.js'
import type { Lifetimes } from '../domain/identity/session.js'
import type { Milliseconds } from '../domain/instant.js'
import type { NoticeTopic } from '../domain/mail.js'
import type { AttemptLimit } from '../ports/attempt-limiter.js'
import type { AuditLog, AuditSink } from '../ports/audit-log.js'
import type { Clock } from '../ports/clock.js'
import type { Digest } from '../ports/digest.js'
import type { Retrying } from './retrying.js'
import type { Log } from '../ports/log.js'
import type { Mailer, MailTemplates } from '../ports/mailer.js'
import type { Metrics } from '../ports/metrics.js'
import type { NameClient } from '../ports/name-client.js'
import type { PasswordBlocklist } from '../ports/password-blocklist.js'
import type { PasswordHasher } from '../ports/password-hasher.js'
import type { Randomness } from '../ports/randomness.js'
import type { OneTimeCodes } from '../ports/one-time-codes.js'
import type { CopyableRecords } from '../ports/copyable-records.js'
import type { SecretSeal } from '../ports/secret-seal.js'
import type { ApiKeySecrets, ResetTokens, SessionKeys } from '../ports/session-keys.js'
import type { OptionalPort, Store } from '../ports/store.js'
import type { TokenSigner } from '../ports/token-signer.js'
import type { VerificationCache } from '../ports/verification-cache.js'
import type { AuditTrail } from './audit/audit-trail.js'
import type { PetSecurity } from './catalogue/authenticate-pet-client.js'
import type { FactorRoles } from './identity/identity-of.js'

/** The ports of a store, by the names that use cases have for them. */
export type StorePorts = Omit<Store, 'audit' | 'copyableRecords' | 'ready' | 'close'> & {
  readonly auditLog: AuditLog
}

/** The same of a store that may lack some: what is absent has no name here. */
export type PartialStorePorts = Omit<StorePorts, OptionalPort | 'auditLog'> &
  Partial<Pick<StorePorts, keyof StorePorts & (OptionalPort | 'auditLog')>>

/** What a copy of a store reads. */
export type CopySource = { readonly copyableRecords: CopyableRecords }

/** What every use case can be made of, beside other use cases: ports, and what was set. */
export type Infrastructure = StorePorts & {
  readonly clock: Clock
  readonly randomness: Randomness
  readonly digest: Digest
  readonly hasher: PasswordHasher
  /** For HTTP Basic, see `boundVerifications` and `createVerificationCache`. */
  readonly basicHasher: PasswordHasher
  readonly verifications: VerificationCache
  readonly apiKeySecrets: ApiKeySecrets
  readonly resetTokens: ResetTokens
  readonly permissions: Permissions
  readonly lifetimes: Lifetimes
  /** Roles that count only in a login with a second factor; none where every role counts in every login. */
  readonly factorRoles: FactorRoles | undefined
  /** None where login attempts are not limited. */
  readonly loginLimit: AttemptLimit | undefined
  /** The most sessions that an account may have; none where there is no limit, and of no meaning in stateless mode. */
  readonly sessionLimit: number | undefined
  /** None where clients get no names. */
  readonly nameClient: NameClient | undefined
  /** How long an impersonation lasts at most. */
  readonly impersonationTtl: Milliseconds
  readonly minPasswordLength: number
  /** None where the length is all that counts. */
  readonly passwordBlocklist: PasswordBlocklist | undefined
  readonly petSecurity: PetSecurity
  readonly auditSinks: readonly AuditSink[]
  /** How long audit records are kept; for ever where it is missing. */
  readonly auditRetention: Milliseconds | undefined
  /** Whether `flush` of the audit trail is called from time to time; see `createAuditTrail`. */
  readonly auditBatched: boolean
  readonly onAuditLost: ((error: unknown) => void) | undefined
  /** What the operator at the command line is called in the audit log. */
  readonly operator: string
  /** What accounts are told of by mail; nothing where none can leave. */
  readonly noticeTopics: readonly NoticeTopic[]
  /** Is told that there is a mail to send. */
  readonly onMailQueued: (() => void) | undefined
  /** How long tasks of an operator go on with a slow store; absent in a service, whose requests do not wait. */
  readonly retrying?: Retrying | undefined
  readonly log: Log | undefined
  /** Is told of logins and refreshes; store and hasher tell theirs by themselves. */
  readonly metrics: Metrics | undefined
}

/** What sessions and tokens are made with; the command line has none of it. */
export type Credentials = {
  readonly tokens: TokenSigner
  readonly sessionKeys: SessionKeys
  readonly secretSeal: SecretSeal
  readonly oneTimeCodes: OneTimeCodes
}

/** What mails are made and sent with. */
export type MailParts = {
  readonly mailer: Mailer
  readonly templates: MailTemplates
  readonly resetTokenTtl: Milliseconds
  readonly resetUrl: string
  readonly audit: AuditTrail
}
