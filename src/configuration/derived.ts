import type { Permissions } from '../domain/access/permissions.js'
import type { Lifetimes } from '../domain/identity/session.js'
import { frozen } from '../domain/plain-data.js'
import type { TokenUse } from '../ports/tokens.js'
import { DEVELOPMENT_OUTBOX, type MailDelivery } from './mail.js'
import type { Values } from './settings.js'
import { DEFAULT_DATABASE, type DatabaseChoice, type StoreModule } from './storage.js'
import { isLoopback, localOrigin } from './web.js'

/** Returns the origin that clients use; while the port is unknown, an origin with port 0. */
export function originOf(values: Pick<Values, 'publicUrl' | 'host' | 'port'>): string {
  // Reads `host` and `port` only if needed, because reading an invalid setting may throw.
  return values.publicUrl ?? localOrigin(values.host, values.port)
}

/** Returns whether a loopback origin is used outside production; development conveniences are harmless only there. */
export function isLocalDevelopment(values: Values): boolean {
  return !values.production && isLoopback(originOf(values))
}

/** The domain to which passkeys are bound. */
export type PasskeyDomain = {
  /** The WebAuthn RP ID. */
  readonly rpId: string
  /** The https origins outside the domain, which browsers accept if the service lists them at `/.well-known/webauthn`. */
  readonly relatedOrigins: readonly string[]
}

/** Returns the RP ID; `undefined` if passkeys are off. */
export function rpIdOf(values: Values): string | undefined {
  const { passkeys } = values
  if (passkeys === 'off') return undefined
  return passkeys === 'on' ? new URL(originOf(values)).hostname : passkeys
}

/** Returns whether the host is the domain or a subdomain of it. */
export function isWithin(host: string, domain: string): boolean {
  return host === domain || host.endsWith(`.${domain}`)
}

/** By default the cookie is secure, except in local development over plain http. */
export function hasSecureCookie(values: Values): boolean {
  const isPlain = isLocalDevelopment(values) && originOf(values).startsWith('http:')
  return values.sessionCookieSecure ?? !isPlain
}

/** Returns how emails are sent; undefined if none can be sent. */
export function mailDelivery(values: Values): MailDelivery | undefined {
  return values.mailUrl ?? (isLocalDevelopment(values) ? DEVELOPMENT_OUTBOX : undefined)
}

/** The default is shorter in stateless mode, because logins cannot be ended there. */
export function accessTokenTtl({ accessTokenTtl: ttl, stateless }: Values): number {
  return ttl ?? (stateless ? 5 : 15) * 60_000
}

/** The values that are derived from other settings. A derived value replaces the setting with the same name, if there is one. */
const DERIVED = {
  /** `auto` means one process per core. A memory store works in only one process; a store from a module may have the same limit. */
  workers({ workers, production, store, storeModule }: Values): number | 'auto' {
    if (store?.kind === 'memory') return 1
    return workers ?? (production && storeModule === undefined ? 'auto' : 1)
  },
  /** `undefined` while the value depends on a port that is not bound yet. */
  publicUrl: ({ publicUrl, host, port }: Values): string | undefined =>
    publicUrl ?? (port === 0 ? undefined : localOrigin(host, port)),
  corsOrigins: ({ corsOrigins = [] }: Values) => corsOrigins,
  keepAliveTimeout: ({ keepAliveTimeout, production }: Values) =>
    keepAliveTimeout ?? (production ? 65_000 : 5_000),
  store: ({ store = DEFAULT_DATABASE, storeModule: specifier }: Values): DatabaseChoice | StoreModule =>
    specifier === undefined ? store : { kind: 'module', specifier },
  previousPassphrases: ({ previousPassphrases = [] }: Values) => previousPassphrases,
  /** PASETO always signs with Ed25519, because its version determines the algorithm. */
  tokenAlg: ({ tokenFormat, tokenAlg = 'HS512' }: Values): TokenUse =>
    tokenFormat === 'paseto' ? 'v4.public' : tokenAlg,
  accessTokenTtl,
  lifetimes: (values: Values): Lifetimes => ({
    accessToken: accessTokenTtl(values),
    refreshToken: values.refreshTokenTtl,
    session: values.sessionTtl,
    refreshGrace: values.refreshGrace,
  }),
  sessionCookieSecure: hasSecureCookie,
  /** `name` does not include the prefix: a secure cookie is called `__Host-<name>`. */
  cookie: (values: Values) => ({
    name: values.sessionCookieName,
    secure: hasSecureCookie(values),
    sameSite: values.sessionCookieSamesite,
  }),
  /** Whether logins and password resets are counted, and refused with status 429 above a limit. */
  limitsAttempts: ({ loginLimit }: Values) => loginLimit !== undefined,
  /** `undefined` if passkeys are off. */
  passkeyDomain: (values: Values): PasskeyDomain | undefined => {
    const rpId = rpIdOf(values)
    if (rpId === undefined) return undefined
    const isOutside = (origin: string) =>
      origin.startsWith('https:') && !isWithin(new URL(origin).hostname, rpId)
    return { rpId, relatedOrigins: (values.corsOrigins ?? []).filter(isOutside) }
  },
  secondFactor: ({ secondFactor = [] }: Values) => secondFactor,
  mailUrl: mailDelivery,
  mailFrom: ({ mailFrom = 'no-reply@localhost' }: Values) => mailFrom,
  docs: ({ docs, production }: Values) => docs ?? !production,
} as const

type DerivedValues = { readonly [Name in keyof typeof DERIVED]: ReturnType<(typeof DERIVED)[Name]> }

/** All settings, validated and frozen, by option name. Times in milliseconds, sizes in bytes. */
export type Settings = Omit<Values, keyof DerivedValues> &
  DerivedValues & {
    /** The permissions from the permission file or the option `permissions`; the built-in permissions by default. */
    readonly permissions: Permissions
  }

export function settingsOf(values: Values, permissions: Permissions): Settings {
  const derived = Object.entries(DERIVED).map(([name, derive]) => [name, derive(values)])
  return frozen({ ...values, ...(Object.fromEntries(derived) as DerivedValues), permissions })
}
