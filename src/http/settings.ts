import type { Settings } from '../configuration/derived.js'
import type { HttpName } from '../configuration/settings.js'
import type { Action, Component } from '../domain/access/components.js'
import type { GrantedTo } from '../domain/access/permissions.js'
import type { PublicKey } from '../ports/token-format.js'

/** The settings that the HTTP interface uses, by the names of their options; times in milliseconds, sizes in bytes. */
export type HttpSettings = Pick<Settings, HttpName | 'cookie' | 'limitsAttempts'> & {
  /** Origin that clients use, such as `https://pets.example`: links and the CSRF check use it. */
  readonly publicUrl: string
  /** The keys that `/.well-known/jwks.json` shows; without a key it answers 404. */
  readonly publicKeys: readonly PublicKey[]
  /** Who may call each route, for the API description. */
  readonly grantedTo: HttpPermissions
}

/** Component and action, such as `auth:login`. */
export type HttpAction = { [C in Component]: `${C}:${Action<C>}` }[Component]

/** Who may do each action over HTTP. */
export type HttpPermissions = Readonly<Record<HttpAction, GrantedTo>>

/** The session cookie. `none` needs `secure`. */
export type SessionCookieSettings = Settings['cookie']

/** `__Host-` makes browsers insist on Secure, Path=/ and no Domain. */
export function cookieName({ name, secure }: Pick<SessionCookieSettings, 'name' | 'secure'>): string {
  return secure ? `__Host-${name}` : name
}
