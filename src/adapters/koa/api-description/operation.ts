import type { z } from 'zod'
import type {
  oas31,
  ZodOpenApiOperationObject,
  ZodOpenApiParameters,
  ZodOpenApiRequestBodyObject,
  ZodOpenApiResponseObject,
} from 'zod-openapi'
import type { GrantedTo } from '../../../domain/access/permissions.js'
import type { HttpAction, HttpSettings } from '../settings.js'
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
  /** What a caller has to be permitted; without one nothing can be refused. */
  readonly action?: HttpAction
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
  const { path, id, summary, description = '', tag, action, security, parameters, body } = route
  return {
    operationId: id,
    summary,
    ...grantedTo(description, action && settings.grantedTo[action]),
    tags: [tag],
    security: [...security],
    ...(parameters && { requestParams: parameters }),
    ...(route.writtenParameters && { parameters: [...route.writtenParameters] }),
    ...(body && { requestBody: body }),
    responses: { ...failures(settings, path, refusalsOf(settings, route)), ...own(settings, route) },
  }
}

function refusalsOf(settings: HttpSettings, { action, body, refusals }: Route): Refusals {
  return {
    ...ALWAYS,
    ...(action && WORKING),
    ...(action && isForSome(settings.grantedTo[action]) && { 403: NOT_PERMITTED }),
    ...(body && readingBody(Object.keys(body.content))),
    ...refusals,
  }
}

function own(settings: HttpSettings, { replies }: Route): Record<`2${string}`, ZodOpenApiResponseObject> {
  return Object.fromEntries(
    Object.entries(replies).map(([status, reply]) => [status, replyObject(settings, reply)]),
  )
}

const SENTENCES: Readonly<Record<GrantedTo, string>> = {
  everyone: 'Granted to everyone.',
  user: 'Granted to whoever has an identity.',
  roles: 'Granted to some roles.',
  nobody: 'Not granted to anybody in this configuration: the answer is 401 or 403.',
}

/** Says who may call an operation, for people and for programs. */
function grantedTo(description: string, grantedTo: GrantedTo | undefined) {
  if (grantedTo === undefined) return description === '' ? {} : { description }
  return { description: `${description} ${SENTENCES[grantedTo]}`.trim(), 'x-granted-to': grantedTo }
}

/** Whether a known caller may be refused all the same. */
function isForSome(grantedTo: GrantedTo): boolean {
  return grantedTo === 'roles' || grantedTo === 'nobody'
}

/** A JSON body, with one that can be sent as it is. */
export function jsonRequest(schema: z.ZodType, example: object, required = true) {
  return { required, content: { 'application/json': { schema, example } } }
}
