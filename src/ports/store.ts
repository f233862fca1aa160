import type { Accounts } from './accounts.js'
import type { ApiKeys } from './api-keys.js'
import type { AttemptLimiter } from './attempt-limiter.js'
import type { AuditLog } from './audit-log.js'
import type { MailQueue } from './mail.js'
import type { Proofs } from './proofs.js'
import type { Passkeys } from './passkeys.js'
import type { Pets } from './pets.js'
import type { Projects } from './projects.js'
import type { CopyableRecords } from './copyable-records.js'
import type { Revocations, Sessions } from './sessions.js'
import type { Roles } from './roles.js'
import type { SecondFactors } from './second-factors.js'

/** All store ports, which share one connection. If the store is unreachable, each call rejects with `unavailable` within 5 seconds. */
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
  readonly passkeys: Passkeys
  readonly proofs: Proofs
  /** Absent if the content is not persistent, as in the in-memory store. */
  readonly copyableRecords?: CopyableRecords
  /** Resolves while the store can be reached; otherwise rejects with `unavailable`. */
  ready(): Promise<void>
  /** Waits for running calls to finish; later calls reject with `unavailable`. A second call is harmless. */
  close(): Promise<void>
}

/** All ports of a store, bound to one of the application's connections. Their calls run in that connection's transaction. */
export type StoreWithin = Omit<Store, 'ready' | 'close'>

/**
 * The ports of optional features. If an optional port is missing, the use cases, endpoints and commands that need the port are absent;
 * without `audit`, nothing is recorded.
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
  'passkeys',
  'proofs',
  'copyableRecords',
] as const satisfies readonly StorePort[]

/** A port from `OPTIONAL_PORTS`, which a store may lack. */
export type OptionalPort = (typeof OPTIONAL_PORTS)[number]

/** The ports of a store. */
export type StorePort = Exclude<keyof Store, 'ready' | 'close'>

/** A store that may lack optional ports. */
export type PartialStore = Omit<Store, OptionalPort> & {
  readonly [Port in OptionalPort]?: Store[Port] | undefined
}
