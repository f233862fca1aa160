import { DEVELOPMENT_OUTBOX, type MailDelivery } from './mail.js'
import type { Values } from './settings.js'
import { isLoopback, localOrigin } from './web.js'

/** What the origin that clients use follows from. */
export const WHERE = ['production', 'publicUrl', 'host', 'port'] as const

/** The origin that clients use, or, while the port is not known yet, its likeness. */
export function originOf({ publicUrl, host, port }: Values): string {
  return publicUrl ?? localOrigin(host, port)
}

/** Outside production on a loopback origin: the one place where conveniences are harmless. */
export function isLocalDevelopment(values: Values): boolean {
  return !values.production && isLoopback(originOf(values))
}

/** Secure unless it was switched off, which is the default in local development over plain http. */
export function hasSecureCookie(values: Values): boolean {
  return values.sessionCookieSecure ?? !(isLocalDevelopment(values) && originOf(values).startsWith('http:'))
}

/** How mails leave; nowhere, outside of local development, where nothing is said of it. */
export function mailDelivery(values: Values): MailDelivery | undefined {
  return values.mailUrl ?? (isLocalDevelopment(values) ? DEVELOPMENT_OUTBOX : undefined)
}

/**
 * How many processes answer requests; `auto` for one on each core. A store in memory is one process's; whether several
 * may have a store module open only its author knows.
 */
export function workersOf({ workers, production, store, storeModule }: Values): number | 'auto' {
  if (store?.kind === 'memory') return 1
  return workers ?? (production && storeModule === undefined ? 'auto' : 1)
}

/** Without sessions to end, an access token is worth less the longer it lives. */
export function accessTokenTtl({ accessTokenTtl: ttl, stateless }: Values): number {
  return ttl ?? (stateless ? 5 : 15) * 60_000
}
