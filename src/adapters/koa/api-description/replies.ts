import { z } from 'zod'
import type { ZodOpenApiResponsesObject } from 'zod-openapi'

type Status = `${1 | 2 | 3 | 4 | 5}${string}`
type Headers = z.ZodObject

const text = (description: string) => z.string().meta({ description })

/** Headers that every reply carries. */
const always = {
  'X-Request-Id': text('Names the request in our logs; a well-formed one of the request is passed on.'),
  'Cache-Control': z.string(),
  'X-Content-Type-Options': z.literal('nosniff'),
  'Referrer-Policy': z.literal('no-referrer'),
  'Content-Security-Policy': z.string(),
}

const MEANINGS: Readonly<Record<string, string>> = {
  400: 'The request is malformed',
  401: 'No valid credentials',
  403: 'Not granted',
  404: 'There is no such thing',
  405: 'The method is not allowed here',
  406: 'Only application/json can be sent',
  408: 'The request took too long to arrive',
  412: 'The precondition does not hold',
  413: 'The body is too large',
  415: 'The content type or encoding is not supported',
  422: 'The content breaks a rule',
  429: 'Too many attempts',
  431: 'The headers are too large',
  500: 'A fault of the service',
  503: 'Too busy or not available; try again after `Retry-After`',
}

const FAILURE_HEADERS: Readonly<Record<string, Record<string, z.ZodType>>> = {
  405: { Allow: text('The methods that are allowed.') },
  429: { 'Retry-After': text('Seconds.') },
  503: { 'Retry-After': text('Seconds.') },
}

export function reply(
  description: string,
  schema: z.ZodType | undefined,
  headers: Record<string, z.ZodType> = {},
) {
  const all: Headers = z.object({ ...always, ...headers })
  return {
    description,
    headers: all,
    ...(schema && { content: { 'application/json': { schema } } }),
  }
}

/** The failures of one operation, all of one body; `extra` adds headers to single statuses. */
export function failures(
  body: z.ZodType,
  statuses: readonly number[],
  extra: Readonly<Record<number, Record<string, z.ZodType>>> = {},
): ZodOpenApiResponsesObject {
  const entries = statuses.map((status) => {
    const headers = { ...FAILURE_HEADERS[status], ...extra[status] }
    return [String(status) as Status, reply(MEANINGS[status] ?? 'Failure', body, headers)] as const
  })
  return Object.fromEntries(entries)
}
