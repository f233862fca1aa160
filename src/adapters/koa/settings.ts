import type { PublicKey } from '../../ports/token-format.js'

/** What the HTTP adapter has to be told; times in milliseconds, sizes in bytes. */
export type HttpSettings = {
  /** Origin that clients use, such as `https://pets.example`: links and the CSRF check go by it. */
  readonly publicUrl: string
  /** The bearer token alone proves an identity: no cookie is set, and none is looked at. */
  readonly stateless: boolean
  /** What `/.well-known/jwks.json` shows; 404 where there are none. */
  readonly publicKeys: readonly PublicKey[]
  /** Header that carries `Bearer <token>` on the identity routes. */
  readonly authorizationHeader: string
  /** How many proxies stand in front; only they may tell the client's address. */
  readonly trustProxy: number
  readonly cookie: SessionCookieSettings
  readonly apiKeyHeader: string
  /** Origins that may call with credentials, exactly as browsers send them. */
  readonly corsOrigins: readonly string[]
  /** Largest pet body; identity bodies are at most 16 kB in any case. */
  readonly bodyLimit: number
}

/** The session cookie. `none` needs `secure`. */
export type SessionCookieSettings = {
  /** Without prefix: a secure cookie is called `__Host-<name>`. */
  readonly name: string
  readonly secure: boolean
  readonly sameSite: 'strict' | 'lax' | 'none'
}
