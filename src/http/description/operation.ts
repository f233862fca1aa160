import type { ZodOpenApiOperationObject, ZodOpenApiResponseObject } from 'zod-openapi'
import type { GrantedTo } from '../../domain/access/permissions.js'
import { actionOf, type Description, type Endpoint } from '../endpoint.js'
import type { HttpSettings } from '../settings.js'
import { ALWAYS, NOT_PERMITTED, readingBody, WORKING, type Refusals } from './refusals.js'
import { failures, replyObject } from './replies.js'

/** The OpenAPI operation of an endpoint. Its own replies override the replies that all routes share. */
export function operation(
  settings: HttpSettings,
  endpoint: Endpoint,
  described: Description,
): ZodOpenApiOperationObject {
  const { body } = endpoint
  const action = actionOf(endpoint)
  const { id, summary, description = '', tag, security, parameters, writtenParameters } = described
  return {
    operationId: id,
    summary,
    ...permissionText(description, action && settings.grantedTo[action]),
    tags: [tag],
    security: [...security],
    ...(parameters && { requestParams: parameters }),
    ...(writtenParameters && { parameters: [...writtenParameters] }),
    ...(body && { requestBody: { required: body.required, content: body.content } }),
    responses: {
      ...failures(settings, endpoint.path, refusalsOf(settings, endpoint, described)),
      ...own(settings, described),
    },
  }
}

function refusalsOf(settings: HttpSettings, endpoint: Endpoint, { refusals }: Description): Refusals {
  const { body } = endpoint
  const action = actionOf(endpoint)
  return {
    ...ALWAYS,
    ...(action && WORKING),
    ...(action && isForSome(settings.grantedTo[action]) && { 403: NOT_PERMITTED }),
    ...(body && readingBody(Object.keys(body.content))),
    ...refusals,
  }
}

function own(
  settings: HttpSettings,
  { replies }: Description,
): Record<`2${string}`, ZodOpenApiResponseObject> {
  return Object.fromEntries(
    Object.entries(replies).map(([status, reply]) => [status, replyObject(settings, reply)]),
  )
}

const SENTENCES: Readonly<Record<GrantedTo, string>> = {
  everyone: 'Permitted to everyone.',
  user: 'Permitted to every caller with valid credentials.',
  roles: 'Permitted to some roles.',
  nobody: 'Permitted to no role in this configuration: the reply is 401 or 403.',
}

/** States who may call an operation, in a sentence for people and in `x-granted-to` for programs. */
function permissionText(description: string, grantedTo: GrantedTo | undefined) {
  if (grantedTo === undefined) return description === '' ? {} : { description }
  return { description: `${description} ${SENTENCES[grantedTo]}`.trim(), 'x-granted-to': grantedTo }
}

/** Whether the service may refuse a known caller. */
function isForSome(grantedTo: GrantedTo): boolean {
  return grantedTo === 'roles' || grantedTo === 'nobody'
}
