import { createDocument, type ZodOpenApiPathsObject } from 'zod-openapi'
import type { Endpoint } from '../endpoint.js'
import { petsIdsSchema } from '../schemas/pet.js'
import type { HttpSettings } from '../settings.js'
import { componentHeaders } from './headers.js'
import { operation } from './operation.js'
import { securitySchemes } from './security.js'

const TAGS = [
  { name: 'pets', description: 'The catalogue. Every call brings an API key, or email and password.' },
  { name: 'identity', description: 'Who somebody is: login, current identity, refresh, logout.' },
  { name: 'project', description: 'An example of a resource that only some roles may use.' },
  { name: 'service', description: 'Whether the service works, and what it offers. Open to everyone.' },
]

/** The OpenAPI 3.1 description of endpoints, made from the schemas that judge requests. */
export function apiDescription(settings: HttpSettings, endpoints: readonly Endpoint[]): object {
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
    paths: pathsOf(settings, endpoints),
    components: {
      // What no schema of an operation leads to.
      schemas: { PetsIds: petsIdsSchema },
      securitySchemes: securitySchemes(settings),
      headers: componentHeaders(settings),
    },
  })
}

function pathsOf(settings: HttpSettings, endpoints: readonly Endpoint[]): ZodOpenApiPathsObject {
  const paths: ZodOpenApiPathsObject = {}
  for (const endpoint of endpoints) {
    const { method, path, describe, isOffered = () => true } = endpoint
    if (!describe || !isOffered(settings)) continue
    const template = path.replaceAll(/:(\w+)/g, '{$1}')
    const described = operation(settings, endpoint, describe(settings))
    paths[template] = { ...paths[template], [method.toLowerCase()]: described }
  }
  return paths
}
