import type { IDENTITY } from '../application/identity/operations.js'
import type { ADMINISTRATION, PETS, PROJECTS } from '../application/operations.js'
import type { Offered, UseCases } from '../application/wiring.js'
import type { Milliseconds } from '../domain/instant.js'
import type { Log } from '../ports/log.js'
import type { Metrics } from '../ports/metrics.js'
import type { HttpSettings } from './settings.js'

/**
 * The operations that the HTTP interface calls, keyed by name, and the calls that authenticate and authorize their callers.
 *
 * @interface
 */
export type HttpUseCases = Pick<
  UseCases,
  | ('authorize' | 'permissionsOf' | 'authenticateApiKey' | 'authenticatePetClient')
  | ('checkAccessToken' | 'authenticate')
  | (keyof typeof PETS | keyof typeof PROJECTS | keyof typeof IDENTITY | keyof typeof ADMINISTRATION)
>

/** `HttpUseCases` without the operations that need a port that the store lacks. */
export type OfferedHttpUseCases = Offered<HttpUseCases>

/** The parts of the HTTP interface. The Kennel instance returned by `openKennel` provides the use cases and the settings. */
export type HttpInterfaceParts = {
  /** An endpoint exists if its use cases exist. */
  readonly useCases: OfferedHttpUseCases
  readonly settings: HttpSettings
  readonly readiness: Readiness
  /** Receives one log line for each error. */
  readonly log: Log
  /** Timeout of a readiness probe in milliseconds; 2 seconds by default. */
  readonly probeTimeout?: Milliseconds
  /** The path at which another application mounts the service, such as `/kennel`. The paths of all links begin with this prefix. */
  readonly prefix?: string
  /** Whether the Kennel instance is closed; if so, every reply is 503. */
  readonly isClosed?: () => boolean
}

/** Rejects while no requests should be sent to the service, because the store is unavailable or the service is stopping. */
export type Readiness = () => Promise<void>

/** The log and the metrics for finished requests. */
export type RequestObservers = { readonly log: Log; readonly metrics?: Metrics | undefined }
