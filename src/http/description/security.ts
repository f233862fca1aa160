import type { ZodOpenApiSecuritySchemeObject } from 'zod-openapi'
import { cookieName, type HttpSettings } from '../parts.js'

/** Security schemes that are required together. */
export type Requirement = Record<string, never[]>

/** The security requirements of a route that needs no credentials. */
export const OPEN: readonly Requirement[] = [{}]

/** The security requirement of a route that needs a login: session cookie and token, or only the token in stateless mode. */
export function loginRequirement({ stateless }: HttpSettings): Requirement {
  return stateless ? { BearerAuth: [] } : { SessionCookie: [], BearerAuth: [] }
}

/** The security requirements of the pet routes. If a single credential suffices, two valid credentials are also accepted. */
export function petRequirements({ petsSecurity }: HttpSettings): readonly Requirement[] {
  if (petsSecurity === 'key') return [{ ApiKeyAuth: [] }]
  const both = { ApiKeyAuth: [], BasicAuth: [] }
  return petsSecurity === 'all' ? [both] : [{ ApiKeyAuth: [] }, { BasicAuth: [] }, both]
}

const BASIC: ZodOpenApiSecuritySchemeObject = {
  type: 'http',
  scheme: 'basic',
  description: 'Email and password of an account, for the pet endpoints.',
}

export function securitySchemes(settings: HttpSettings): Record<string, ZodOpenApiSecuritySchemeObject> {
  return {
    ...(settings.petsSecurity !== 'key' && { BasicAuth: BASIC }),
    ApiKeyAuth: {
      type: 'apiKey',
      in: 'header',
      name: settings.petsApiKeyHeader,
      description: `An API key that an operator has created with \`app apikey create\`, for the pet endpoints${settings.administration === 'off' ? '' : ' and for administration'}.`,
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
    description:
      'The session cookie. Login sets the cookie, and the browser sends it automatically: leave this field empty.',
  }
}

function bearer({ authorizationHeader }: HttpSettings): ZodOpenApiSecuritySchemeObject {
  if (authorizationHeader.toLowerCase() === 'authorization') {
    return {
      type: 'http',
      scheme: 'bearer',
      description: 'The access token: `view.jwt` in the reply to the login.',
    }
  }
  return {
    type: 'apiKey',
    in: 'header',
    name: authorizationHeader,
    description: 'The access token after the word `Bearer`: `Bearer <view.jwt of the login>`.',
  }
}
