import { EXPOSED_HEADERS, fixedHeaders, REQUEST_ID, setCookie } from '../reply/reply-headers.js'
import type { HttpSettings } from '../parts.js'

/** A reply header in OpenAPI. */
export type Header = {
  readonly description?: string
  readonly required?: boolean
  readonly schema: {
    readonly type: 'string' | 'integer'
    readonly const?: string
    readonly enum?: string[]
    readonly pattern?: string
    readonly minimum?: number
  }
  readonly example?: string | number
}
type Reference = { readonly $ref: string }
export type Headers = Record<string, Header | Reference>

export function constantHeader(value: string, description?: string): Header {
  const schema = { type: 'string', const: value } as const
  return { ...(description !== undefined && { description }), required: true, schema }
}

export const RETRY_AFTER_HEADER: Headers = {
  'Retry-After': {
    description: 'Number of seconds to wait before the next attempt.',
    required: true,
    schema: { type: 'integer', minimum: 1 },
    example: 2,
  },
}

function requestIdHeader({ trustProxy }: HttpSettings): Header {
  const passedOn = ' A proxy in front of the service can set this header in the request.'
  return {
    description: `Identifies the request in the logs of the service.${trustProxy === 0 ? '' : passedOn}`,
    required: true,
    schema: { type: 'string', pattern: REQUEST_ID.source },
    example: '3f9a1c0e-5d0b-4f7e-9d5c-0f6f2b1c7a11',
  }
}

/** The headers of every reply, for the `components` section of the description. */
export function componentHeaders(settings: HttpSettings): Record<string, Header> {
  const fixed = [...fixedHeaders(settings.publicUrl)].map(([name, value]) => [name, constantHeader(value)])
  return {
    'X-Request-Id': requestIdHeader(settings),
    ...(Object.fromEntries(fixed) as Record<string, Header>),
    ...(settings.corsOrigins.length > 0 && crossOriginHeaders(settings.corsOrigins)),
  }
}

function crossOriginHeaders(origins: readonly string[]): Record<string, Header> {
  const optional = { required: false } as const
  return {
    Vary: constantHeader('Origin'),
    'Access-Control-Allow-Origin': {
      ...optional,
      description: 'The origin of the page, if `CORS_ORIGINS` lists it; otherwise absent.',
      schema: { type: 'string', enum: [...origins] },
    },
    'Access-Control-Allow-Credentials': { ...constantHeader('true'), ...optional },
    'Access-Control-Expose-Headers': { ...constantHeader(EXPOSED_HEADERS.join(',')), ...optional },
  }
}

export function commonHeaders(settings: HttpSettings): Headers {
  const names = Object.keys(componentHeaders(settings))
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))
}

/**
 * The headers of a reply that may be sent before the request has reached its route, or before the service has started. In an early reply,
 * headers that depend on the settings are optional.
 */
export function earlyHeaders(settings: HttpSettings): Headers {
  const certain = ['X-Request-Id', ...fixedHeaders('').keys()]
  const optional = Object.entries(componentHeaders(settings))
    .filter(([name]) => !certain.includes(name))
    .map(([name, header]) => [name, { ...header, required: false }] as const)
  return { ...commonHeaders(settings), ...Object.fromEntries(optional) }
}

const KEY = '[A-Za-z0-9_-]{43}'
const KEY_EXAMPLE = 'Ru4ZyEXAMPLE-EXAMPLE-EXAMPLE-EXAMPLE-EXAMPL'

const MAX_AGE = '(; max-age=[1-9][0-9]*)?'

/** The header that sets the session cookie; absent without sessions. */
export function issuedCookie(
  { stateless, cookie }: HttpSettings,
  { remembered } = { remembered: false },
): Headers {
  if (stateless) return {}
  const [before = '', after = ''] = setCookie(cookie).issued(KEY_EXAMPLE).split(KEY_EXAMPLE)
  const flags = remembered ? after.replace('; path=/', `$&${MAX_AGE}`) : after
  const longer = remembered ? ', or, for a login with `remember`, until the end of the session' : ''
  return {
    'Set-Cookie': {
      description: `The session cookie. The cookie lasts as long as the browser’s session${longer}.`,
      required: true,
      schema: { type: 'string', pattern: `^${escapePattern(before)}${KEY}${flags}$` },
      example: `${before}${KEY_EXAMPLE}${after}`,
    },
  }
}

export function loginCookie(settings: HttpSettings): Headers {
  return issuedCookie(settings, { remembered: settings.rememberLogin })
}

export function clearedCookie({ stateless, cookie }: HttpSettings): Headers {
  if (stateless) return {}
  return {
    'Set-Cookie': {
      description: 'Removes the session cookie that was sent with the request.',
      required: false,
      schema: { type: 'string', const: setCookie(cookie).cleared },
    },
  }
}

function escapePattern(name: string): string {
  return name.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&')
}
