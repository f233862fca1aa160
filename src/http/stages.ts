import type { Issued } from '../application/identity/issue.js'
import type { CheckedCredentials } from '../application/identity/presented.js'
import { PETS, type PROJECTS } from '../application/operations.js'
import { ANONYMOUS, type Caller, type Identity } from '../domain/access/caller.js'
import type { Action, Component } from '../domain/access/components.js'
import { invalidToken } from '../domain/refusal.js'
import { permissionOf, type Endpoint, type EndpointParts, type HttpOperation } from './endpoint.js'
import type { Exchange, Stage } from './exchange.js'
import type { HttpReply, HttpRequest } from './message.js'
import type { HttpUseCases } from './parts.js'
import { issuedView, succeeded } from './reply/envelope.js'
import { negotiate } from './request/negotiate.js'
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
function identified({ useCases }: EndpointParts): Stage {
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

/** Reads the credentials of a pet endpoint and finds out whose they are. */
function petClient({ useCases, settings }: EndpointParts): Stage {
  const schemes = {
    apiKeyHeader: settings.petsApiKeyHeader.toLowerCase(),
    basic: settings.petsSecurity !== 'key',
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

/** The stages of an endpoint for pets. */
export const forPetClients: NonNullable<Endpoint['stages']> = (parts, json) => [
  petClient(parts),
  negotiate,
  json,
]

/** The stages of an endpoint for accounts that are logged in. */
export const forLogins: NonNullable<Endpoint['stages']> = (parts, json) => [
  ...[presentedSession(parts, 'refused'), identified(parts)],
  ...[negotiate, json],
]

/**
 * Reads the input of an operation out of a request. A caller without the permission is refused for that first, even if the
 * request has another form; of a request that has the right form the operation judges the permission.
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

type PetOrProject = keyof typeof PETS | keyof typeof PROJECTS
type InputOf<Name extends PetOrProject> = Omit<Parameters<HttpUseCases[Name]>[0], 'caller'>
type AnswerOf<Name extends PetOrProject> = Awaited<ReturnType<HttpUseCases[Name]>>

/** What a reply can depend on, beside the answer. */
type Replying<Name extends PetOrProject> = {
  readonly request: HttpRequest
  readonly base: string
  readonly input: InputOf<Name>
}

/** An endpoint that calls one operation for its caller: how the request becomes its input, and its answer the reply. */
export function calling<Name extends PetOrProject>(
  operation: Name,
  inputOf: (exchange: Exchange) => InputOf<Name>,
  replyOf: (answer: AnswerOf<Name>, context: Replying<Name>) => HttpReply,
): Pick<Endpoint, 'operation' | 'stages' | 'work'> {
  const isForPets = operation in PETS
  return {
    operation,
    stages: isForPets ? forPetClients : forLogins,
    work: (parts) => {
      const { useCases, base } = parts
      const call = useCases[operation] as unknown as (input: object) => Promise<AnswerOf<Name>>
      return async (exchange) => {
        const caller = isForPets ? (exchange.caller ?? ANONYMOUS) : identityOf(exchange)
        const input = readFor(operation, useCases, caller, () => inputOf(exchange))
        return replyOf(await call({ ...input, caller }), { request: exchange.request, base, input })
      }
    },
  }
}

function identityOf({ identity }: Exchange): Identity {
  if (!identity) throw invalidToken('the endpoint was reached without an identity')
  return identity
}
