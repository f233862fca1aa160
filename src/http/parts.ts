import type { IDENTITY_OPERATIONS } from '../application/identity/operations.js'
import type { PETS, PROJECTS } from '../application/operations.js'
import type { Offered, UseCases } from '../application/wiring.js'
import type { Milliseconds } from '../domain/instant.js'
import type { Log } from '../ports/log.js'
import type { Metrics } from '../ports/metrics.js'
import type { HttpSettings } from './settings.js'

/**
 * The operations that the HTTP interface calls, by name, with what judges their callers.
 *
 * @interface
 */
export type HttpUseCases = Pick<
  UseCases,
  | ('authorize' | 'authenticatePetClient' | 'checkAccessToken' | 'authenticate')
  | (keyof typeof PETS | keyof typeof PROJECTS | keyof typeof IDENTITY_OPERATIONS)
>

/** The same of a store that may lack ports: an operation that needs an absent port is absent, with its endpoint. */
export type OfferedHttpUseCases = Offered<HttpUseCases>

/** What the HTTP interface is made of. A Kennel of `openKennel` is its use cases and has its settings. */
export type HttpInterfaceParts = {
  /** An endpoint is there where its use cases are. */
  readonly useCases: OfferedHttpUseCases
  readonly settings: HttpSettings
  readonly readiness: Readiness
  /** Gets a line for whatever goes wrong. */
  readonly log: Log
  /** Milliseconds for which a readiness probe waits; 2 seconds by default. */
  readonly probeTimeout?: Milliseconds
  /** Where another application mounts it, such as `/kennel`: links then begin with it. */
  readonly prefix?: string
  /** Whether it is over: then every reply is 503. */
  readonly isClosed?: () => boolean
}

/** Rejects while the service should get no requests: its store is away, or it is stopping. */
export type Readiness = () => Promise<void>

/** Where requests are told of when they are over. */
export type RequestObservers = { readonly log: Log; readonly metrics?: Metrics | undefined }
