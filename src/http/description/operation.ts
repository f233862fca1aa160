import type { ZodOpenApiOperationObject, ZodOpenApiResponseObject } from 'zod-openapi'
import type { GrantedTo } from '../../domain/access/permissions.js'
import { actionOf, type Description, type Endpoint } from '../endpoint.js'
import type { HttpSettings } from '../settings.js'
import { ALWAYS, NOT_PERMITTED, readingBody, WORKING, type Refusals } from './refusals.js'
import { failures, replyObject } from './replies.js'

/** The whole operation: its own replies take the place of those that all routes have. */
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
    ...grantedTo(description, action && settings.grantedTo[action]),
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
