import type * as z from 'zod'
import type { oas31, ZodOpenApiParameters } from 'zod-openapi'
import { IDENTITY_OPERATIONS } from '../application/identity/operations.js'
import type { Permission } from '../application/operation.js'
import { PETS, PROJECTS } from '../application/operations.js'
import type { Milliseconds } from '../domain/instant.js'
import type { Refusals } from './description/refusals.js'
import type { Reply } from './description/replies.js'
import type { Requirement } from './description/security.js'
import type { Stage, Work } from './exchange.js'
import type { HttpInterfaceParts, HttpUseCases, Readiness } from './parts.js'
import type { HttpAction, HttpSettings } from './settings.js'

/** One endpoint: all that there is to say of it stands in its file. Routes and the description derive from it. */
export type Endpoint = {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  /** A part that begins with a colon is a parameter. */
  readonly path: string
  /** The operation that it calls, and whose permission its caller needs; without one nothing can be refused. */
  readonly operation?: HttpOperation
  /** Whether the settings offer it; they do if this is absent. */
  readonly isOffered?: (settings: HttpSettings) => boolean
  readonly body?: BodyRule
  /** What the description says of it; of pages for people it says nothing. */
  readonly describe?: (settings: HttpSettings) => Description
  /** What comes before the work, in this order; `json` reads the body. */
  readonly stages?: (parts: EndpointParts, json: Stage) => readonly Stage[]
  readonly work: (parts: EndpointParts) => Work
}

const OPERATIONS = { ...PETS, ...PROJECTS, ...IDENTITY_OPERATIONS }

/** An operation that an endpoint can call. */
export type HttpOperation = keyof typeof OPERATIONS

/** The permission that the operation needs. */
export function permissionOf(operation: HttpOperation): Permission {
  return OPERATIONS[operation].permission
}

/** Component and action of the operation. */
export function actionOf({ operation }: Pick<Endpoint, 'operation'>): HttpAction | undefined {
  return operation && (permissionOf(operation).join(':') as HttpAction)
}

/** Without these methods of a Kennel the endpoint does not exist: its operation, and for pets what finds their clients. */
function needsOf({ operation }: Endpoint): readonly (keyof HttpUseCases)[] {
  if (operation === undefined) return []
  return operation in PETS ? [operation, 'authenticatePetClient'] : [operation]
}

/** Whether the endpoint exists: the settings offer it, and the methods that it needs are there. */
export function isOffered(endpoint: Endpoint, { useCases, settings }: HttpInterfaceParts): boolean {
  const { isOffered: isSet = () => true } = endpoint
  return isSet(settings) && needsOf(endpoint).every((name) => useCases[name])
}

/** What endpoints are made of. */
export type EndpointParts = {
  readonly useCases: HttpUseCases
  readonly settings: HttpSettings
  readonly readiness: Readiness
  /** Milliseconds for which a readiness probe waits. */
  readonly probeTimeout: Milliseconds
  /** What links begin with: the public origin, and the path below which another application has mounted the service. */
  readonly base: string
  /** The description of the whole interface. */
  readonly describe: () => Promise<object>
}

/** The JSON bodies that an endpoint takes, by content type: the schema of each and one that can be sent as it is. */
export type BodyRule = {
  readonly required: boolean
  /** Identity bodies are small; others are as large as is configured. */
  readonly limit: 'identity' | 'configured'
  readonly content: Readonly<Record<string, { readonly schema: z.ZodType; readonly example: object }>>
}

/** What is to be said of one endpoint; what all have in common is added. */
export type Description = {
  readonly id: string
  readonly summary: string
  readonly description?: string
  readonly tag: 'pets' | 'identity' | 'project' | 'service'
  readonly security: readonly Requirement[]
  readonly parameters?: ZodOpenApiParameters
  /** Those that are no schemas. */
  readonly writtenParameters?: readonly oas31.ParameterObject[]
  readonly replies: Readonly<Record<number, Reply>>
  /** Beside those that follow from the rest, or in the place of one of them. */
  readonly refusals?: Refusals
}

/** A small JSON body. */
export function identityBody(schema: z.ZodType, example: object, required = true): BodyRule {
  return { required, limit: 'identity', content: { 'application/json': { schema, example } } }
}
