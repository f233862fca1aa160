import type { Issued } from '../application/identity/issue.js'
import type { CheckedCredentials } from '../application/identity/presented.js'
import { ANONYMOUS, type Caller } from '../domain/access/caller.js'
import type { Action, Component } from '../domain/access/components.js'
import { permissionOf, subjectOf, type Endpoint, type EndpointParts, type HttpOperation } from './endpoint.js'
import type { Exchange, Stage, HttpReply } from './message.js'
import { type HttpUseCases, cookieName, type HttpSettings } from './parts.js'
import { issuedView, loggedOutView, succeeded } from './reply/envelope.js'
import { originGuard } from './cross-origin.js'
import { readPetCredentials, readPresented } from './request/credentials.js'

/**
 * Reads the credentials once, with strict parsing, and checks the access token, so that an invalid token is rejected before the body is
 * read. Later stages take the credentials from the exchange. If `expired` is `accepted`, the use case decides how to handle an expired
 * token.
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

/** Rejects a caller without a login before the body is read. Adds the identity to the exchange. */
export function identified({ useCases }: EndpointParts): Stage {
  return async (exchange) => {
    exchange.identity = await useCases.authenticate(presentedOf(exchange))
  }
}

export function presentedOf({ presented }: Exchange): CheckedCredentials {
  return presented ?? {}
}

/** Returns a function that reads the named members of the body without checking their values. */
export function members<Name extends string>(...names: readonly Name[]) {
  return ({ json = {} }: Exchange) =>
    Object.fromEntries(names.map((name) => [name, json[name]])) as Readonly<Record<Name, unknown>>
}

export const passwordAndCode = members('password', 'code')

export function issuedReply(
  issued: Issued,
  { exchange }: { readonly exchange: Exchange },
  { refreshed } = { refreshed: false },
): HttpReply {
  const { sessionKey, cookieMaxAge: maxAge } = issued
  exchange.identity = issued.identity
  return {
    status: 200,
    body: succeeded(200, issuedView(issued, refreshed)),
    ...(sessionKey !== undefined && { session: { sessionKey, maxAge } }),
  }
}

export function loggedOutReply(exchange: Exchange): HttpReply {
  const hasCookie = presentedOf(exchange).sessionKey !== undefined
  return { status: 200, body: succeeded(200, loggedOutView()), ...(hasCookie && { session: 'ended' }) }
}

function petClient({ useCases, settings }: EndpointParts): Stage {
  const schemes = {
    apiKeyHeader: settings.petsApiKeyHeader.toLowerCase(),
    basic: settings.petsSecurity !== 'key',
  }
  return async (exchange) => {
    const { request } = exchange
    const presented = readPetCredentials(request, schemes)
    // Only HTTP Basic needs the client data, for the rate limit and the audit log.
    exchange.caller = await useCases.authenticatePetClient(
      presented.basic ? { ...presented, client: request } : presented,
    )
  }
}

export const forPetClients: NonNullable<Endpoint['stages']> = (parts, json) => [petClient(parts), json]

/** The stages of endpoints that need no login; they reject requests from pages of other origins. */
export const forEveryone: NonNullable<Endpoint['stages']> = (parts, json) => [
  presentedSession(parts, 'refused'),
  originGuard(parts.settings),
  json,
]

/** The stages of endpoints that need a login. */
export const forLogins: NonNullable<Endpoint['stages']> = (parts, json) => [
  presentedSession(parts, 'refused'),
  identified(parts),
  json,
]

/**
 * Reads an operation's input from a request. Checks the permission before reporting that a request is malformed; for a well-formed request,
 * the operation checks the permission.
 */
export function readFor<T>(
  operation: HttpOperation,
  { authorize }: HttpUseCases,
  caller: Caller,
  read: () => T,
): T {
  try {
    return read()
  } catch (error) {
    const [component, action] = permissionOf(operation)
    authorize(caller, component, action as Action<Component>)
    throw error
  }
}

type InputOf<Name extends HttpOperation> = Omit<Parameters<HttpUseCases[Name]>[0], 'caller' | 'presented'>
type AnswerOf<Name extends HttpOperation> = Awaited<ReturnType<HttpUseCases[Name]>>

type Replying<Name extends HttpOperation> = {
  readonly exchange: Exchange
  readonly base: string
  readonly settings: HttpSettings
  readonly input: InputOf<Name>
}

/**
 * Defines the work of an endpoint that calls one operation: maps the request to the input, and the result to the reply. Identity operations
 * receive the credentials of the request; all other operations receive the caller. Without `inputOf`, the input consists only of the
 * credentials.
 */
export function calling<Name extends HttpOperation>(
  operation: Name,
  inputOf: ((exchange: Exchange, settings: HttpSettings) => InputOf<Name>) | undefined,
  replyOf: (answer: AnswerOf<Name>, context: Replying<Name>) => HttpReply | Promise<HttpReply>,
): Required<Pick<Endpoint, 'operation' | 'stages' | 'work'>> {
  return {
    operation,
    stages: subjectOf(operation) === 'pets' ? forPetClients : forLogins,
    work: ({ useCases, settings, base }) => {
      const call = useCases[operation] as unknown as (input: object) => Promise<AnswerOf<Name>>
      const isOfIdentity = subjectOf(operation) === 'auth'
      const askedBy = (exchange: Exchange, input: InputOf<Name> | undefined) => {
        const presented = presentedOf(exchange)
        return input ? { ...input, presented } : presented
      }
      return async (exchange) => {
        const caller = exchange.caller ?? exchange.identity ?? ANONYMOUS
        const read = () => inputOf?.(exchange, settings)
        const input = isOfIdentity ? read() : readFor(operation, useCases, caller, read)
        const asked = isOfIdentity ? askedBy(exchange, input) : { ...input, caller }
        return await replyOf(await call(asked), { exchange, base, settings, input: input as InputOf<Name> })
      }
    },
  }
}
