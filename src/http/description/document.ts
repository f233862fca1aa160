import { ZodObject } from 'zod'
import {
  createDocument,
  type ZodOpenApiObject,
  type ZodOpenApiOperationObject,
  type ZodOpenApiPathsObject,
} from 'zod-openapi'
import { VERSION } from '../../domain/version.js'
import type { Endpoint } from '../endpoint.js'
import {
  changePasswordBodySchema,
  confirmBodySchema,
  currentPassword,
  loginBodySchema,
  newPasswordSchema,
} from '../schemas/identity.js'
import { petsIdsSchema } from '../schemas/pet.js'
import type { HttpSettings } from '../settings.js'
import { componentHeaders } from './headers.js'
import { operation } from './operation.js'
import { securitySchemes } from './security.js'

const TAGS = [
  {
    name: 'pets',
    description:
      'Version 1.0.0 of the pet catalog API. Every request needs an API key, or an email and a password.',
  },
  { name: 'identity', description: 'Login, current identity, refresh, logout and your own account.' },
  { name: 'project', description: 'An example of a resource that only some roles may use.' },
  {
    name: 'administration',
    description:
      'Accounts, roles, sessions, API keys and the audit log, for operators and programs. Every request needs an API key or a login, and the permission of its operation; a caller can affect only what its own permissions cover.',
  },
  { name: 'service', description: 'Health and description of the service. Open to everyone.' },
]

/** Returns the OpenAPI 3.1 description of the endpoints, which is derived from the schemas that validate requests. */
export function apiDescription(settings: HttpSettings, endpoints: readonly Endpoint[]): object {
  const described = describedOf(settings, endpoints)
  const operations = described.map((one) => one.operation)
  const isUsed = ([name]: readonly [string, unknown]) =>
    operations.some(({ security = [] }) => security.some((requirement) => name in requirement))
  const document: ZodOpenApiObject = {
    openapi: '3.1.0',
    info: {
      title: 'Kennel',
      version: VERSION,
      description:
        'A pet catalog and identity: login, current identity, refresh, logout. The service ignores `Accept`: each reply has the content type given in this description.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: settings.publicUrl }],
    tags: TAGS.filter(({ name }) => operations.some(({ tags = [] }) => tags.includes(name))),
    paths: pathsOf(described),
    components: {
      // This schema is added here because no operation refers to it.
      ...(operations.some(({ operationId }) => operationId === 'listPets') && {
        schemas: { PetsIds: petsIdsSchema },
      }),
      securitySchemes: Object.fromEntries(Object.entries(securitySchemes(settings)).filter(isUsed)),
      headers: componentHeaders(settings),
    },
  }
  return createDocument(document, {
    override: ({ jsonSchema, zodSchema }) => {
      if (zodSchema === newPasswordSchema) jsonSchema.minLength = settings.passwordMinLength
      if (zodSchema === loginBodySchema && !settings.rememberLogin) delete jsonSchema.properties?.['remember']
      if (settings.passkeyDomain && hasOwnPassword(zodSchema)) allowNoPassword(jsonSchema)
      if (zodSchema !== loginBodySchema && zodSchema !== confirmBodySchema) return
      if (!settings.passkeyDomain) delete jsonSchema.properties?.['passkey']
    },
  })
}

/** Changing the password always requires the current password. */
function hasOwnPassword(schema: unknown): boolean {
  return (
    schema instanceof ZodObject &&
    schema !== changePasswordBodySchema &&
    schema.shape['password'] === currentPassword
  )
}

function allowNoPassword(schema: { required?: string[] | undefined }): void {
  const others = schema.required?.filter((name) => name !== 'password') ?? []
  if (others.length > 0) schema.required = others
  else delete schema.required
}

type DescribedEndpoint = Pick<Endpoint, 'method' | 'path'> & { readonly operation: ZodOpenApiOperationObject }

function describedOf(settings: HttpSettings, endpoints: readonly Endpoint[]): readonly DescribedEndpoint[] {
  // If the store has no API keys, the routes for pets and for API keys do not exist.
  const hasApiKeys = endpoints.some(({ operation: name }) => name === 'listPets' || name === 'createApiKey')
  return endpoints.flatMap((endpoint) => {
    const { method, path, describe, isOffered = () => true } = endpoint
    if (!describe || !isOffered(settings)) return []
    const { security = [], ...rest } = operation(settings, endpoint, describe(settings))
    const usable = security.filter((requirement) => hasApiKeys || !('ApiKeyAuth' in requirement))
    return [{ method, path, operation: { ...rest, security: usable } }]
  })
}

function pathsOf(described: readonly DescribedEndpoint[]): ZodOpenApiPathsObject {
  const paths: ZodOpenApiPathsObject = {}
  for (const { method, path, operation } of described) {
    const template = path.replaceAll(/:(\w+)/g, '{$1}')
    paths[template] = { ...paths[template], [method.toLowerCase()]: operation }
  }
  return paths
}
