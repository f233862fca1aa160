import type { Authorized } from '../application/access/authorize.js'
import type { Issued } from '../application/identity/issue.js'
import type { CheckedCredentials } from '../application/identity/presented.js'
import { ANONYMOUS, type Identity } from '../domain/access/caller.js'
import type { Action, Component } from '../domain/access/components.js'
import { invalidToken } from '../domain/refusal.js'
import type { EndpointParts } from './endpoint.js'
import type { Exchange, Stage, Work } from './exchange.js'
import type { HttpReply } from './message.js'
import { issuedView, succeeded } from './reply/envelope.js'
import { readPetCredentials } from './request/pet-credentials.js'
import { readPresented } from './request/presented-session.js'
import { cookieName } from './settings.js'

/**
 * Reads the credentials once, strictly, and checks the access token, which is refused before the body is looked at;
 * every later stage takes them from the exchange. An expired one is left to the use case where that is said.
 */
export function presentedSession(
  { useCases, settings }: EndpointParts,
  expired: 'refused' | 'accepted',
): Stage {
  const header = settings.authorizationHeader.toLowerCase()
  const name = settings.stateless ? undefined : cookieName(settings.cookie)
  return async (exchange) => {
    const { request } = exchange
    const { bearer, sessionKey } = readPresented(request, header, name)
    const accessToken = bearer === undefined ? bearer : await useCases.checkAccessToken(bearer, { expired })
    exchange.presented = { accessToken, sessionKey, client: request }
  }
}

/** Refuses a caller who is not logged in before the body is looked at, and leaves the identity in the exchange. */
export function identified({ useCases }: EndpointParts): Stage {
  return async (exchange) => {
    exchange.identity = await useCases.authenticate(presentedOf(exchange))
  }
}

export function presentedOf({ presented }: Exchange): CheckedCredentials {
  return presented ?? {}
}

/** New credentials, the cookie's among them where there is one. */
export function issuedReply(
  exchange: Exchange,
  issued: Issued,
  { refreshed } = { refreshed: false },
): HttpReply {
  exchange.identity = issued.identity
  return {
    status: 200,
    body: succeeded(200, issuedView(issued, refreshed)),
    ...(issued.sessionKey !== undefined && { session: issued.sessionKey }),
  }
}

/** The work of an endpoint behind `identified`: it gets the proof that this identity may do it. */
export function permittedIdentity<C extends Component, A extends Action<C>>(
  { useCases }: EndpointParts,
  [component, action]: readonly [component: C, action: A],
  work: (exchange: Exchange, authorized: Authorized<C, A, Identity>) => Promise<HttpReply>,
): Work {
  return (exchange) => {
    const { identity } = exchange
    if (!identity) throw invalidToken('the endpoint was reached without an identity')
    return work(exchange, useCases.authorize(identity, component, action))
  }
}

/** Reads the credentials of a pet endpoint and finds out whose they are. */
export function petClient({ useCases, settings }: EndpointParts): Stage {
  const schemes = {
    apiKeyHeader: settings.apiKeyHeader.toLowerCase(),
    basic: settings.petSecurity !== 'key',
  }
  return async (exchange) => {
    const { request } = exchange
    const presented = readPetCredentials(request, schemes)
    // Only Basic is counted and audited by where it comes from; most requests have a key.
    exchange.caller = await useCases.authenticatePetClient(
      presented.basic ? { ...presented, client: request } : presented,
    )
  }
}

/** The work of a pet endpoint: it gets the proof that it may be done. */
export function permitted<A extends Action<'pets'>>(
  { useCases }: EndpointParts,
  action: A,
  work: (exchange: Exchange, authorized: Authorized<'pets', A>) => Promise<HttpReply>,
): Work {
  return (exchange) => work(exchange, useCases.authorize(exchange.caller ?? ANONYMOUS, 'pets', action))
}
