import { createDocument, type ZodOpenApiPathsObject, type ZodOpenApiSecuritySchemeObject } from 'zod-openapi'
import type { HttpSettings } from '../settings.js'
import { cookieName } from '../cookie-name.js'
import { furtherActionPaths } from './further-actions.js'
import { identityPaths } from './identity.js'
import { petPaths } from './pets.js'
import { servicePaths } from './service.js'

/** The OpenAPI 3.1 description, made from the schemas that judge requests. */
export function apiDescription(settings: HttpSettings): object {
  const paths: ZodOpenApiPathsObject = {
    ...petPaths,
    ...identityPaths(settings),
    ...furtherActionPaths(settings),
    ...servicePaths(settings),
  }
  return createDocument({
    openapi: '3.1.0',
    info: {
      title: 'Kennel',
      version: '1.0.0',
      description: 'A pet catalogue and identity: login, current identity, refresh, logout.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: settings.publicUrl }],
    paths,
    components: { securitySchemes: securitySchemes(settings) },
  })
}

function securitySchemes(settings: HttpSettings): Record<string, ZodOpenApiSecuritySchemeObject> {
  const standard = settings.authorizationHeader.toLowerCase() === 'authorization'
  return {
    BasicAuth: { type: 'http', scheme: 'basic' },
    ApiKeyAuth: { type: 'apiKey', in: 'header', name: settings.apiKeyHeader },
    ...(!settings.stateless && {
      SessionCookie: { type: 'apiKey', in: 'cookie', name: cookieName(settings.cookie) } as const,
    }),
    BearerAuth: standard
      ? { type: 'http', scheme: 'bearer' }
      : {
          type: 'apiKey',
          in: 'header',
          name: settings.authorizationHeader,
          description: '`Bearer <access token>`',
        },
  }
}
