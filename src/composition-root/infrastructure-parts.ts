import type { PetSecurity } from '../application/catalogue/authenticate-pet-client.js'
import type { Permissions } from '../domain/access/permissions.js'
import type { Lifetimes } from '../domain/identity/session.js'
import type { Milliseconds } from '../domain/instant.js'
import type { AttemptLimit } from '../ports/attempt-limiter.js'
import type { AuditSink } from '../ports/audit-log.js'
import type { Clock } from '../ports/clock.js'
import type { Digest } from '../ports/digest.js'
import type { Log } from '../ports/log.js'
import type { Mailer, MailTemplates } from '../ports/mailer.js'
import type { Metrics } from '../ports/metrics.js'
import type { PasswordHasher } from '../ports/password-hasher.js'
import type { Randomness } from '../ports/randomness.js'
import type { ApiKeySecrets, SessionKeys } from '../ports/session-keys.js'
import type { Store } from '../ports/store.js'
import type { VerificationCache } from '../ports/verification-cache.js'
import type { TokenSigner } from '../ports/token-signer.js'
import type { Mode } from './identity.js'

/** What is opened or made before the graph; everything else follows from it. */
export type Infrastructure = {
  readonly store: Store
  readonly clock: Clock
  readonly randomness: Randomness
  readonly digest: Digest
  readonly hasher: PasswordHasher
  /** For HTTP Basic, see `boundVerifications` and `createVerificationCache`. */
  readonly basicHasher: PasswordHasher
  readonly verifications: VerificationCache
  readonly apiKeySecrets: ApiKeySecrets
  readonly permissions: Permissions
  readonly lifetimes: Lifetimes
  readonly mode: Mode
  /** None where login attempts are not limited. */
  readonly loginLimit?: AttemptLimit
  /** How long somebody acts as somebody else at most. */
  readonly impersonationTtl: Milliseconds
  readonly auditSinks: readonly AuditSink[]
  /** How long audit records are kept; for ever where it is missing. */
  readonly auditRetention?: Milliseconds
  /** Whether somebody calls `flush` of the audit trail; see `createAuditTrail`. */
  readonly auditBatched?: boolean
  readonly onAuditLost?: (error: unknown) => void
  /** What the operator at the command line is called in the audit log. */
  readonly operator: string
  /** Only where a service runs. */
  readonly mail?: {
    readonly mailer: Mailer
    readonly templates: MailTemplates
    readonly resetTokenTtl: Milliseconds
    readonly resetUrl: string
    /** Is told that there is something to send. */
    readonly onQueued?: () => void
  }
  readonly log?: Log
  /** Is told of logins and refreshes; store and hasher tell theirs by themselves. */
  readonly metrics?: Metrics
  readonly minPasswordLength: number
  readonly petSecurity: PetSecurity
  /** Only where sessions are issued and read; the command line has none. */
  readonly credentials?: { readonly tokens: TokenSigner; readonly sessionKeys: SessionKeys }
}
