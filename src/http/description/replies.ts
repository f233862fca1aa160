import * as z from 'zod'
import type { ZodOpenApiResponseObject, ZodOpenApiResponsesObject } from 'zod-openapi'
import { petChallenge, failureBody, isAdministrationPath, isProjectPath } from '../reply/failure.js'
import { identityEnvelopeSchema } from '../schemas/identity.js'
import { projectEnvelopeSchema } from '../schemas/project.js'
import type { HttpSettings } from '../parts.js'
import { commonHeaders, constantHeader, earlyHeaders, RETRY_AFTER_HEADER, type Headers } from './headers.js'
import type { Refusals, RefusalMessages } from './refusals.js'

/** The body of failure replies from the pet routes and from paths outside `/api`. */
export const errorSchema = z
  .strictObject({ code: z.int().meta({ format: 'int32' }), message: z.string() })
  .meta({ id: 'Error' })

/** The body of failure replies from the routes below `/api/admin`. */
const administrationErrorSchema = errorSchema
  .extend({
    errors: z
      .array(z.strictObject({ message: z.string(), field: z.string(), type: z.string(), code: z.int() }))
      .min(2)
      .optional()
      .describe('All invalid members, if there are several.'),
  })
  .meta({ id: 'AdministrationError' })

/** One reply of an operation, without the headers that every reply has. */
export type Reply = {
  readonly description: string
  readonly schema?: z.ZodType
  /** An example of the body; required if there is a schema. */
  readonly example?: unknown
  readonly headers?: Headers
  /** Whether the reply may be sent before the request has reached its route. */
  readonly early?: boolean
}

export function identityReply(description: string, example: unknown, headers: Headers = {}): Reply {
  return { description, schema: identityEnvelopeSchema, example, headers }
}

const MEANINGS: Readonly<Record<string, string>> = {
  400: 'The request is malformed',
  401: 'No valid credentials',
  403: 'Not permitted',
  404: 'Not found',
  405: 'The method is not allowed on this path',
  408: 'The request took too long to arrive',
  409: 'The request conflicts with the current state',
  412: 'The precondition failed',
  413: 'The body is too large',
  415: 'The content type or encoding is not supported',
  422: 'The content breaks a rule',
  429: 'Too many attempts',
  431: 'The headers are too large',
  500: 'An error in the service',
  503: 'Overloaded, unavailable or starting; try again after `Retry-After`',
}

const EARLY = [408, 431, 503]

const FAILURE_HEADERS: Readonly<Record<string, Headers>> = {
  405: {
    Allow: {
      description: 'The allowed methods.',
      required: true,
      schema: { type: 'string', pattern: '^[A-Z]+(, [A-Z]+)*$' },
      example: 'HEAD, GET',
    },
  },
  429: RETRY_AFTER_HEADER,
  503: RETRY_AFTER_HEADER,
}

export function replyObject(settings: HttpSettings, reply: Reply): ZodOpenApiResponseObject {
  const { description, schema, example, headers, early } = reply
  return {
    description,
    headers: { ...(early ? earlyHeaders(settings) : commonHeaders(settings)), ...headers },
    ...(schema && { content: { 'application/json': { schema, example } } }),
  }
}

/** The failure replies of one operation; the path determines the format of their bodies. */
export function failures(
  settings: HttpSettings,
  path: string,
  refusals: Refusals,
): ZodOpenApiResponsesObject {
  const entries = Object.entries(refusals).map(([status, refused]) => [
    status as `${1 | 2 | 3 | 4 | 5}${string}`,
    replyObject(settings, failure(settings, path, { status: Number(status), messages: refused ?? [] })),
  ])
  return Object.fromEntries(entries) as ZodOpenApiResponsesObject
}

type FailureExample = { readonly status: number; readonly messages: RefusalMessages }

function failure(settings: HttpSettings, path: string, { status, messages }: FailureExample): Reply {
  const early = EARLY.includes(status)
  const shape = shapeOf(path)
  return {
    description: MEANINGS[status] ?? 'Failure',
    // A reply that is sent before the path is known has an `Error` as its body.
    schema: early && shape !== errorSchema ? z.union([shape, errorSchema]) : shape,
    example: failureBody({ status, messages, unexpected: false }, path),
    headers: {
      ...FAILURE_HEADERS[status],
      ...(status === 401 &&
        path.startsWith('/v1/') && { 'WWW-Authenticate': constantHeader(petChallenge(settings)) }),
    },
    early,
  }
}

function shapeOf(path: string): z.ZodType {
  if (isProjectPath(path)) return projectEnvelopeSchema
  if (isAdministrationPath(path)) return administrationErrorSchema
  return path.startsWith('/api/') ? identityEnvelopeSchema : errorSchema
}
