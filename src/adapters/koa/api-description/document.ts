import { createDocument } from 'zod-openapi'
import type { HttpSettings } from '../settings.js'
import { componentHeaders } from './headers.js'
import { identityPaths } from './identity.js'
import { impersonationPaths } from './impersonation.js'
import { passwordResetPaths } from './password-reset.js'
import { petComponents, petPaths } from './pets.js'
import { securitySchemes } from './security.js'
import { servicePaths } from './service.js'

const TAGS = [
  { name: 'pets', description: 'The catalogue. Every call brings an API key, or email and password.' },
  { name: 'identity', description: 'Who somebody is: login, current identity, refresh, logout.' },
  { name: 'project', description: 'An example of a resource that only some roles may use.' },
  { name: 'service', description: 'Whether the service works, and what it offers. Open to everyone.' },
]

/** The OpenAPI 3.1 description, made from the schemas that judge requests. */
export function apiDescription(settings: HttpSettings): object {
  return createDocument({
    openapi: '3.1.0',
    info: {
      title: 'Kennel',
      version: '1.0.0',
      description: 'A pet catalogue and identity: login, current identity, refresh, logout.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: settings.publicUrl }],
    tags: TAGS,
    paths: {
      ...petPaths(settings),
      ...identityPaths(settings),
      ...passwordResetPaths(settings),
      ...impersonationPaths(settings),
      ...servicePaths(settings),
    },
    components: {
      schemas: petComponents,
      securitySchemes: securitySchemes(settings),
      headers: componentHeaders(settings),
    },
  })
}
