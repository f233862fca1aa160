import type { PetSecurity } from '../application/catalogue/authenticate-pet-client.js'
import type { Action, Component } from '../domain/access/components.js'
import type { GrantedTo } from '../domain/access/permissions.js'
import type { PublicKey } from '../ports/token-format.js'

/** What the HTTP adapter has to be told; times in milliseconds, sizes in bytes. */
export type HttpSettings = {
  /** Origin that clients use, such as `https://pets.example`: links and the CSRF check go by it. */
  readonly publicUrl: string
  /** Every convenience is off: outside production a loopback `publicUrl` goes by each of its names. */
  readonly production: boolean
  /** The bearer token alone proves an identity: no cookie is set, and none is looked at. */
  readonly stateless: boolean
  /** What `/.well-known/jwks.json` shows; 404 where there are none. */
  readonly publicKeys: readonly PublicKey[]
  /** Header that carries `Bearer <token>` on the identity routes. */
  readonly authorizationHeader: string
  /** How many proxies are in front, or their addresses and networks; only they may tell the client's address. */
  readonly trustProxy: number | readonly string[]
  readonly cookie: SessionCookieSettings
  readonly apiKeyHeader: string
  /** Whether one credential is enough for the pet routes, both are needed, or there are API keys only. */
  readonly petSecurity: PetSecurity
  /** Whether logins and resets are counted, so that too many of them get 429. */
  readonly limitsAttempts: boolean
  /** Origins that may call with credentials, exactly as browsers send them. */
  readonly corsOrigins: readonly string[]
  /** Least length of a password that is set, as the API description says it; 1 by default. */
  readonly passwordMinLength?: number
  /** Largest pet body; identity bodies are at most 16 kB in any case. */
  readonly bodyLimit: number
  /** Whether there is a page at `/docs` to read and try the interface. */
  readonly docs: boolean
  /** Who may call each route, as the API description tells it. */
  readonly grantedTo: HttpPermissions
}

/** Component and action, such as `auth:login`. */
export type HttpAction = { [C in Component]: `${C}:${Action<C>}` }[Component]

/** Who may do each action over HTTP. */
export type HttpPermissions = Readonly<Record<HttpAction, GrantedTo>>

/** The session cookie. `none` needs `secure`. */
export type SessionCookieSettings = {
  /** Without prefix: a secure cookie is called `__Host-<name>`. */
  readonly name: string
  readonly secure: boolean
  readonly sameSite: 'strict' | 'lax' | 'none'
}

/** `__Host-` makes browsers insist on Secure, Path=/ and no Domain. */
export function cookieName({ name, secure }: Pick<SessionCookieSettings, 'name' | 'secure'>): string {
  return secure ? `__Host-${name}` : name
}
