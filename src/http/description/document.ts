import { ZodObject } from 'zod'
import {
  createDocument,
  type ZodOpenApiObject,
  type ZodOpenApiOperationObject,
  type ZodOpenApiPathsObject,
} from 'zod-openapi'
import { VERSION } from '../../domain/version.js'
import { type Endpoint, actionOf, subjectOf, type Description } from '../endpoint.js'
import {
  changePasswordBodySchema,
  confirmBodySchema,
  currentPassword,
  loginBodySchema,
  newPasswordSchema,
} from '../schemas/identity.js'
import { petsIdsSchema, petRefusals } from '../schemas/pet.js'
import type { HttpSettings } from '../parts.js'
import { componentHeaders } from './headers.js'
import { securitySchemes, loginRequirement, OPEN, petRequirements } from './security.js'
import type { GrantedTo } from '../../domain/access/permissions.js'
import { administratorRequirements, isForOperators } from '../administration.js'
import { forLogins } from '../stages.js'
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
  // If the store does not support API keys, the routes for pets and for API keys do not exist.
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

function isForSome(grantedTo: GrantedTo): boolean {
  return grantedTo === 'roles' || grantedTo === 'nobody'
}
