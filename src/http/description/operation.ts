import type { ZodOpenApiOperationObject } from 'zod-openapi'
import type { GrantedTo } from '../../domain/access/permissions.js'
import { actionOf, subjectOf, type Description, type Endpoint } from '../endpoint.js'
import type { HttpSettings } from '../settings.js'
import { administratorRequirements, isForOperators } from '../administration.js'
import { forLogins } from '../stages.js'
import { petRefusals } from './pets.js'
import {
  ALWAYS,
  INVALID_TOKEN,
  NO_CREDENTIALS,
  NOT_PERMITTED,
  readingBody,
  WHILE_ACTING,
  WORKING,
} from './refusals.js'
import { failures, replyObject } from './replies.js'
import { loginRequirement, OPEN, petRequirements } from './security.js'

/** An endpoint's OpenAPI operation. The replies of the endpoint override the replies that all routes share. */
export function operation(
  settings: HttpSettings,
  endpoint: Endpoint,
  described: Description,
): ZodOpenApiOperationObject {
  const { body } = endpoint
  const action = actionOf(endpoint)
  const { refusals: shared, ...usual } = usualOf(settings, endpoint)
  const { parameters, writtenParameters, ...stated } = { description: '', ...usual, ...described }
  return {
    operationId: stated.id ?? endpoint.operation ?? endpoint.path,
    summary: stated.summary,
    ...permissionText(stated.description, action && settings.grantedTo[action]),
    tags: [stated.tag],
    security: [...stated.security],
    ...(parameters && { requestParams: parameters }),
    ...(writtenParameters && { parameters: [...writtenParameters] }),
    ...(body && { requestBody: { required: body.required, content: body.content } }),
    responses: {
      ...failures(settings, endpoint.path, {
        ...ALWAYS,
        ...(action && WORKING),
        ...(action && isForSome(settings.grantedTo[action]) && { 403: NOT_PERMITTED }),
        ...(body && readingBody(Object.keys(body.content))),
        ...shared,
        ...described.refusals,
      }),
      ...Object.fromEntries(
        Object.entries(described.replies).map(([status, reply]) => [status, replyObject(settings, reply)]),
      ),
    },
  }
}

type DefaultDescription = Required<Pick<Description, 'tag' | 'security' | 'refusals'>>

/** Derives the tag, the credentials and the refusals from the operation and its permitted callers. */
function usualOf(settings: HttpSettings, { operation: name, stages }: Endpoint): DefaultDescription {
  if (name === undefined) return { tag: 'service', security: OPEN, refusals: {} }
  if (isForOperators(name)) {
    const refusals = { 401: NO_CREDENTIALS, 403: NOT_PERMITTED }
    return { tag: 'administration', security: administratorRequirements(settings), refusals }
  }
  const subject = subjectOf(name)
  if (subject === 'pets')
    return { tag: subject, security: petRequirements(settings), refusals: petRefusals(settings) }
  const security = [loginRequirement(settings)]
  if (subject === 'project') return { tag: subject, security, refusals: { 401: INVALID_TOKEN } }
  const isOfOwnAccount = stages === forLogins
  const refusals = { 401: INVALID_TOKEN, ...(isOfOwnAccount && { 403: WHILE_ACTING }) }
  return { tag: 'identity', security, refusals }
}

const SENTENCES: Readonly<Record<GrantedTo, string>> = {
  everyone: 'Everyone may call this operation.',
  user: 'Every caller with valid credentials may call this operation.',
  roles: 'Only some roles may call this operation.',
  nobody: 'In this configuration, no role may call this operation: the reply is 401 or 403.',
}

/** States who may call an operation: in a sentence for people, and in `x-granted-to` for programs. */
function permissionText(description: string, grantedTo: GrantedTo | undefined) {
  if (grantedTo === undefined) return description === '' ? {} : { description }
  return { description: `${description} ${SENTENCES[grantedTo]}`.trim(), 'x-granted-to': grantedTo }
}

/** Whether the service may reject an authenticated caller. */
function isForSome(grantedTo: GrantedTo): boolean {
  return grantedTo === 'roles' || grantedTo === 'nobody'
}
