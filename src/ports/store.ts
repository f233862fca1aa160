import type { Accounts } from './accounts.js'
import type { ApiKeys } from './api-keys.js'
import type { AttemptLimiter } from './attempt-limiter.js'
import type { AuditLog } from './audit-log.js'
import type { MailQueue } from './mail-queue.js'
import type { Pets } from './pets.js'
import type { Projects } from './projects.js'
import type { CopyableRecords } from './copyable-records.js'
import type { Revocations } from './revocations.js'
import type { Roles } from './roles.js'
import type { SecondFactors } from './second-factors.js'
import type { Sessions } from './sessions.js'

/**
 * One object with one connection and all store ports. While the store cannot be reached, every call rejects with the
 * refusal `unavailable`, within 5 seconds.
 */
export type Store = {
  readonly accounts: Accounts
  readonly sessions: Sessions
  readonly pets: Pets
  readonly roles: Roles
  readonly apiKeys: ApiKeys
  readonly projects: Projects
  readonly revocations: Revocations
  readonly attempts: AttemptLimiter
  readonly audit: AuditLog
  readonly mailQueue: MailQueue
  readonly secondFactors: SecondFactors
  /** Only for content that persists and can be copied: a store in memory has no `copyableRecords`. */
  readonly copyableRecords?: CopyableRecords
  /** Resolves while the store answers; otherwise rejects with `unavailable`. */
  ready(): Promise<void>
  /** Waits for running calls; every later call is `unavailable`. A second call is harmless. */
  close(): Promise<void>
}

/**
 * Ports of features that a program may not use. Without a port, the use cases, endpoints and commands that need it are
 * absent; without `audit` the store records nothing.
 */
export const OPTIONAL_PORTS = [
  'pets',
  'roles',
  'apiKeys',
  'projects',
  'revocations',
  'audit',
  'mailQueue',
  'secondFactors',
  'copyableRecords',
] as const satisfies readonly StorePort[]

/** One of `OPTIONAL_PORTS`. */
export type OptionalPort = (typeof OPTIONAL_PORTS)[number]

/** The ports of a store. */
export type StorePort = Exclude<keyof Store, 'ready' | 'close'>

/** A store that may lack ports of features which its program does not use. */
export type PartialStore = Omit<Store, OptionalPort> & {
  readonly [Port in OptionalPort]?: Store[Port] | undefined
}
