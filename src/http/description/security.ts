import type { ZodOpenApiSecuritySchemeObject } from 'zod-openapi'
import { cookieName, type HttpSettings } from '../settings.js'

/** Schemes that are needed together. */
export type Requirement = Record<string, never[]>

/** Of a route that needs no credential. */
export const OPEN: readonly Requirement[] = [{}]

/** The requirement of a route that wants an identity: both credentials, or the token alone. */
export function provenBy({ stateless }: HttpSettings): Requirement {
  return stateless ? { BearerAuth: [] } : { SessionCookie: [], BearerAuth: [] }
}

/** The requirements of the pet routes. Where one will do, both that are right are let in as well. */
export function petRequirements({ petsSecurity }: HttpSettings): readonly Requirement[] {
  if (petsSecurity === 'key') return [{ ApiKeyAuth: [] }]
  const both = { ApiKeyAuth: [], BasicAuth: [] }
  return petsSecurity === 'all' ? [both] : [{ ApiKeyAuth: [] }, { BasicAuth: [] }, both]
}

const BASIC: ZodOpenApiSecuritySchemeObject = {
  type: 'http',
  scheme: 'basic',
  description: 'Email and password of an account, for the pets.',
}

/** Every scheme that an operation names. */
export function securitySchemes(settings: HttpSettings): Record<string, ZodOpenApiSecuritySchemeObject> {
  return {
    ...(settings.petsSecurity !== 'key' && { BasicAuth: BASIC }),
    ApiKeyAuth: {
      type: 'apiKey',
      in: 'header',
      name: settings.petsApiKeyHeader,
      description: 'A key that an operator has made with `app apikey create`, for the pets.',
    },
    ...(!settings.stateless && { SessionCookie: sessionCookie(settings) }),
    BearerAuth: bearer(settings),
  }
}

function sessionCookie({ cookie }: HttpSettings): ZodOpenApiSecuritySchemeObject {
  return {
    type: 'apiKey',
    in: 'cookie',
    name: cookieName(cookie),
    description: 'The session cookie: set by login; a browser sends it by itself, nothing to fill in.',
  }
}

function bearer({ authorizationHeader }: HttpSettings): ZodOpenApiSecuritySchemeObject {
  if (authorizationHeader.toLowerCase() === 'authorization') {
    return { type: 'http', scheme: 'bearer', description: 'The access token: `view.jwt` of the login.' }
  }
  return {
    type: 'apiKey',
    in: 'header',
    name: authorizationHeader,
    description: 'The access token, with the word before it: `Bearer <view.jwt of the login>`.',
  }
}
