import type {
  oas31,
  ZodOpenApiOperationObject,
  ZodOpenApiParameters,
  ZodOpenApiRequestBodyObject,
  ZodOpenApiResponseObject,
} from 'zod-openapi'
import type { HttpAction, HttpSettings } from '../settings.js'
import { grantedTo, isForSome } from './granted-to.js'
import { ALWAYS, NOT_PERMITTED, readingBody, WORKING, type Refusals } from './refusals.js'
import { failures, replyObject, type Reply } from './replies.js'
import type { Requirement } from './security.js'

/** What is to be said of one route; what all routes have in common is added. */
export type Route = {
  readonly path: string
  readonly id: string
  readonly summary: string
  readonly description?: string
  readonly tag: 'pets' | 'identity' | 'project' | 'service'
  /** What a use case behind it has to be granted; without one nothing can be refused. */
  readonly grant?: HttpAction
  readonly security: readonly Requirement[]
  readonly parameters?: ZodOpenApiParameters
  /** Those that are no schemas. */
  readonly writtenParameters?: readonly oas31.ParameterObject[]
  readonly body?: ZodOpenApiRequestBodyObject
  readonly replies: Readonly<Record<number, Reply>>
  /** Beside those that follow from the rest, or in the place of one of them. */
  readonly refusals?: Refusals
}

/** The whole operation: its own replies take the place of those that all routes have. */
export function operation(settings: HttpSettings, route: Route): ZodOpenApiOperationObject {
  const { path, id, summary, description = '', tag, grant, security, parameters, body } = route
  return {
    operationId: id,
    summary,
    ...grantedTo(description, grant && settings.grants[grant]),
    tags: [tag],
    security: [...security],
    ...(parameters && { requestParams: parameters }),
    ...(route.writtenParameters && { parameters: [...route.writtenParameters] }),
    ...(body && { requestBody: body }),
    responses: { ...failures(settings, path, refusalsOf(settings, route)), ...own(settings, route) },
  }
}

function refusalsOf(settings: HttpSettings, { grant, body, refusals }: Route): Refusals {
  return {
    ...ALWAYS,
    ...(grant && WORKING),
    ...(grant && isForSome(settings.grants[grant]) && { 403: NOT_PERMITTED }),
    ...(body && readingBody(Object.keys(body.content))),
    ...refusals,
  }
}

function own(settings: HttpSettings, { replies }: Route): Record<`2${string}`, ZodOpenApiResponseObject> {
  return Object.fromEntries(
    Object.entries(replies).map(([status, reply]) => [status, replyObject(settings, reply)]),
  )
}
