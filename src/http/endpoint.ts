import type * as z from 'zod'
import type { oas31, ZodOpenApiParameters } from 'zod-openapi'
import { IDENTITY } from '../application/identity/operations.js'
import type { Permission } from '../application/operation.js'
import { ADMINISTRATION, PETS, PROJECTS } from '../application/operations.js'
import type { Component } from '../domain/access/components.js'
import type { Milliseconds } from '../domain/instant.js'
import type { Refusals } from './description/refusals.js'
import type { Reply } from './description/replies.js'
import type { Requirement } from './description/security.js'
import type { Stage, Work } from './message.js'
import type { HttpInterfaceParts, HttpUseCases, Readiness, HttpAction, HttpSettings } from './parts.js'

/** The declaration of one endpoint. The route and the description of the endpoint are derived from this declaration. */
export type Endpoint = {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** A path segment that begins with a colon is a parameter. */
  readonly path: string
  /** The operation that the endpoint calls; the caller needs the operation's permission. */
  readonly operation?: HttpOperation
  /** Whether the endpoint exists with these settings; `true` by default. */
  readonly isOffered?: (settings: HttpSettings) => boolean
  readonly body?: BodyRule
  /** Absent for pages intended for people, which are not part of the API description. */
  readonly describe?: (settings: HttpSettings) => Description
  /** The stages that run before `work`, in this order; `json` reads the body. */
  readonly stages?: (parts: EndpointParts, json: Stage) => readonly Stage[]
  readonly work: (parts: EndpointParts) => Work
}

const OPERATIONS = { ...PETS, ...PROJECTS, ...IDENTITY, ...ADMINISTRATION }

export type HttpOperation = keyof typeof OPERATIONS

export function permissionOf(operation: HttpOperation): Permission {
  return OPERATIONS[operation].permission
}

/** Returns the component of the operation's permission: `auth` for identity operations. */
export function subjectOf(operation: HttpOperation): Component {
  return permissionOf(operation)[0]
}

export function actionOf({ operation }: Pick<Endpoint, 'operation'>): HttpAction | undefined {
  return operation && (permissionOf(operation).join(':') as HttpAction)
}

/** The methods of a Kennel instance that an endpoint needs: its operation and, for pet routes, the authentication of clients. */
function needsOf({ operation }: Endpoint): readonly (keyof HttpUseCases)[] {
  if (operation === undefined) return []
  return subjectOf(operation) === 'pets' ? [operation, 'authenticatePetClient'] : [operation]
}

/** Whether the settings enable the endpoint, and whether the Kennel instance has the methods that the endpoint needs. */
export function isOffered(endpoint: Endpoint, { useCases, settings }: HttpInterfaceParts): boolean {
  const { isOffered: isSet = () => true } = endpoint
  return isSet(settings) && needsOf(endpoint).every((name) => useCases[name])
}

export type EndpointParts = {
  readonly useCases: HttpUseCases
  readonly settings: HttpSettings
  readonly readiness: Readiness
  /** Timeout of a readiness probe in milliseconds. */
  readonly probeTimeout: Milliseconds
  /** The prefix of links: the public origin and the path at which another application mounts the service. */
  readonly base: string
  readonly describe: () => Promise<object>
}

/** The JSON bodies that an endpoint accepts, by content type, each with its schema and a valid example. */
export type BodyRule = {
  readonly required: boolean
  /** The limit `identity` is a small fixed size. */
  readonly limit: 'identity' | 'configured'
  readonly content: Readonly<Record<string, { readonly schema: z.ZodType; readonly example: object }>>
}

/** The description of one endpoint, without the parts that all descriptions share. */
export type Description = {
  /** By default, the operation's name, or the path if the endpoint calls no operation. */
  readonly id?: string
  readonly summary: string
  readonly description?: string
  /** Derived from the operation by default. */
  readonly tag?: 'pets' | 'identity' | 'project' | 'administration' | 'service'
  /** Derived from the operation by default. */
  readonly security?: readonly Requirement[]
  readonly parameters?: ZodOpenApiParameters
  /** Parameters that are given as OpenAPI objects instead of schemas. */
  readonly writtenParameters?: readonly oas31.ParameterObject[]
  readonly replies: Readonly<Record<number, Reply>>
  /** Additional refusals, which override the derived refusals with the same status. */
  readonly refusals?: Refusals
}

/** Returns the rule for a JSON body; by default, the body is required and has the small size limit. */
export function bodyOf(
  schema: z.ZodType,
  example: object,
  { required = true, limit = 'identity' }: Partial<BodyRule> = {},
): BodyRule {
  return { required, limit, content: { 'application/json': { schema, example } } }
}
