import type { IDENTITY } from '../application/identity/operations.js'
import type { ADMINISTRATION, PETS, PROJECTS } from '../application/operations.js'
import type { Offered, UseCases } from '../application/wiring.js'
import type { Milliseconds } from '../domain/instant.js'
import type { Log } from '../ports/log.js'
import type { Metrics } from '../ports/metrics.js'
import type { Settings } from '../configuration/derived.js'
import type { HttpName } from '../configuration/settings.js'
import type { Action, Component } from '../domain/access/components.js'
import type { GrantedTo } from '../domain/access/permissions.js'
import type { PublicKey } from '../ports/tokens.js'

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

/** The settings of the HTTP interface; times in milliseconds, sizes in bytes. */
export type HttpSettings = Pick<Settings, HttpName | 'cookie' | 'limitsAttempts' | 'passkeyDomain'> & {
  /** The origin that clients use, such as `https://pets.example`; it appears in links, and the CSRF check compares it with `Origin`. */
  readonly publicUrl: string
  /** The keys that `/.well-known/jwks.json` returns; if there are none, the path returns 404. */
  readonly publicKeys: readonly PublicKey[]
  /** Who may perform each action, for the API description. */
  readonly grantedTo: HttpPermissions
  /** Custom texts for the ready-made pages. */
  readonly pageTexts?: PageTexts | undefined
  /** The path of the HTTP interface on the origin, if the ready-made pages have a different path. */
  readonly pagesApi?: string | undefined
}

/** The texts of the ready-made pages, by the keys of `templates/pages/en.json`. */
export type PageTexts = Readonly<Record<string, string>>

/** The component and action, such as `auth:login`. */
export type HttpAction = { [C in Component]: `${C}:${Action<C>}` }[Component]

/** Who may perform each action over HTTP. */
export type HttpPermissions = Readonly<Record<HttpAction, GrantedTo>>

/** The session cookie. `sameSite: 'none'` needs `secure`. */
export type SessionCookieSettings = Settings['cookie']

/** The prefix `__Host-` makes browsers require Secure, Path=/ and no Domain. */
export function cookieName({ name, secure }: Pick<SessionCookieSettings, 'name' | 'secure'>): string {
  return secure ? `__Host-${name}` : name
}

const registered = new WeakMap<object, OfferedHttpUseCases>()

/** Registers use cases that the HTTP interface calls instead of these methods, so that the input is not checked again. */
export function registerUseCases<Methods extends OfferedHttpUseCases>(
  methods: Methods,
  useCases: OfferedHttpUseCases,
): Methods {
  registered.set(methods, useCases)
  return methods
}

/** Returns the use cases that are registered for these methods, or the methods themselves. */
export function registeredUseCases(methods: OfferedHttpUseCases): OfferedHttpUseCases {
  return registered.get(methods) ?? methods
}
