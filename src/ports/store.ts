import type { Accounts } from './accounts.js'
import type { ApiKeys } from './api-keys.js'
import type { AttemptLimiter } from './attempt-limiter.js'
import type { AuditLog } from './audit-log.js'
import type { MailQueue } from './mail-queue.js'
import type { Pets } from './pets.js'
import type { Projects } from './projects.js'
import type { Records } from './records.js'
import type { Revocations } from './revocations.js'
import type { Roles } from './roles.js'
import type { SecondFactors } from './second-factors.js'
import type { Sessions } from './sessions.js'

/**
 * One object that owns one connection and offers all store ports. Every call rejects with a
 * Refusal `unavailable` while the store cannot be reached, within 5 seconds.
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
  /** Only where the content is kept and can be copied: a store in memory has none. */
  readonly records?: Records
  /** Resolves while the store answers; rejects with `unavailable` else. */
  ready(): Promise<void>
  /** Waits for what is under way. Twice is harmless; every call after it is `unavailable`. */
  close(): Promise<void>
}

/**
 * Ports of features that a program may not use. What needs one that a store lacks is absent: the use cases of a Kennel,
 * endpoints, commands. Without `audit` nothing is recorded in the store.
 */
const OPTIONAL = [
  'pets',
  'roles',
  'apiKeys',
  'projects',
  'revocations',
  'audit',
  'mailQueue',
  'secondFactors',
  'records',
] as const satisfies (keyof Store)[]

/** A port of a feature that a program may not use. */
export type OptionalPort = (typeof OPTIONAL)[number]

/** A store that may lack ports of features which its program does not use. */
export type PartialStore = Omit<Store, OptionalPort> & {
  readonly [Port in OptionalPort]?: Store[Port] | undefined
}

/** A store, or some ports of one, with the `ready` and `close` of what they stand on, where that has any. */
export type StorePart = { readonly [Name in keyof Store]?: Store[Name] | undefined }

/**
 * Whether this may be `undefined`. Without `strictNullChecks` everything may be, and then what is named counts as there:
 * else a program that is compiled so would have no port at all.
 */
export type MayLack<Port> = undefined extends string ? false : undefined extends Port ? true : false

/** Those of the optional ports that such a store does not have for sure; `records` are of no program. */
export type MissingPort<S> = S extends PartialStore
  ? {
      [Port in OptionalPort]: Port extends keyof S ? (MayLack<S[Port]> extends true ? Port : never) : Port
    }[Exclude<OptionalPort, 'records'>]
  : never

/** Whether a store may lack this port. */
export function isOptionalPort(name: string): name is OptionalPort {
  return OPTIONAL.some((one) => one === name)
}

/** The ports of a store. */
export type StorePort = Exclude<keyof Store, 'ready' | 'close'>

/** Every one of them, by an object in which the compiler misses none. */
const ALL: Readonly<Record<StorePort, true>> = {
  accounts: true,
  sessions: true,
  pets: true,
  roles: true,
  apiKeys: true,
  projects: true,
  revocations: true,
  attempts: true,
  audit: true,
  mailQueue: true,
  secondFactors: true,
  records: true,
}

/** The names of a store's ports; a store may have no `records`. */
export const STORE_PORTS = Object.keys(ALL) as readonly StorePort[]
