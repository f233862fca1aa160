import type { Settings } from '../configuration/derived.js'
import type { HttpName } from '../configuration/settings.js'
import type { Action, Component } from '../domain/access/components.js'
import type { GrantedTo } from '../domain/access/permissions.js'
import type { PublicKey } from '../ports/tokens.js'

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
