import { z } from 'zod'
import type { ZodOpenApiPathsObject } from 'zod-openapi'
import { errorSchema, healthSchema } from '../schemas/common.js'
import { projectBodySchema, projectEnvelopeSchema } from '../schemas/project.js'
import type { HttpSettings } from '../settings.js'
import { constantHeader, RETRY_AFTER_HEADER, type Headers } from './headers.js'
import { jsonRequest, operation, type Route } from './operation.js'
import * as refused from './refusals.js'
import { OPEN, provenBy } from './security.js'

const DRAFT = { label: 'Spring adoption', status: 'planned', budget: 1200 }
const PROJECT = { id: 1, ...DRAFT, createdBy: 1, createdAt: '2026-01-02T03:04:05.678Z' }

/** The protected example resource, health, and this description itself. */
export function servicePaths(settings: HttpSettings): ZodOpenApiPathsObject {
  return {
    '/api/project/create': { post: createProject(settings) },
    '/health/live': { get: live(settings) },
    '/health/ready': { get: ready(settings) },
    '/openapi.json': { get: describe(settings) },
    ...(settings.publicKeys.length > 0 && { '/.well-known/jwks.json': { get: publicKeys(settings) } }),
  }
}

function createProject(settings: HttpSettings) {
  return operation(settings, {
    path: '/api/project/create',
    id: 'createProject',
    summary: 'Create a project',
    description: 'It belongs to whoever is logged in.',
    tag: 'project',
    action: 'project:create',
    security: [provenBy(settings)],
    body: jsonRequest(projectBodySchema, DRAFT),
    replies: {
      201: {
        description: 'Created',
        schema: projectEnvelopeSchema,
        example: { code: 201, response: true, view: { saved: true, data: PROJECT, messages: [] } },
      },
    },
    refusals: {
      400: refused.NOT_JSON,
      401: refused.INVALID_TOKEN,
      422: refused.FIELDS_REQUIRED,
    },
  })
}

/** What needs no credential and no permission. */
const plain = { tag: 'service', security: OPEN } as const

function live(settings: HttpSettings) {
  return operation(settings, {
    ...plain,
    path: '/health/live',
    id: 'live',
    summary: 'The process answers',
    description: 'Says nothing about the store: restart the service only where this does not answer.',
    replies: { 200: { description: 'Alive', schema: healthSchema, example: { status: 'ok' } } },
  })
}

function ready(settings: HttpSettings) {
  return operation(settings, {
    ...plain,
    path: '/health/ready',
    id: 'ready',
    summary: 'The service can do its work',
    description: 'Send it requests only while it answers 200.',
    replies: {
      200: { description: 'Ready', schema: healthSchema, example: { status: 'ok' } },
      503: {
        description: 'The store is away, or the service is starting or stopping',
        schema: z.union([healthSchema, errorSchema]),
        example: { status: 'unavailable' },
        headers: RETRY_AFTER_HEADER,
        early: true,
      },
    },
  })
}

const VERSION: Headers = {
  'Cache-Control': constantHeader('no-cache', 'Ask each time whether it has changed.'),
  ETag: {
    description: 'Changes with the description.',
    required: true,
    schema: { type: 'string', pattern: '^"[A-Za-z0-9_-]{43}"$' },
    example: '"47DEQpj8HBSa-_TImW-5JCeuQeRkm5NMpJWZG3hSuFU"',
  },
}

const ifNoneMatch = z
  .string()
  .optional()
  .meta({ description: 'Answers 304 where it still holds.', examples: ['"1-1"'] })

function describe(settings: HttpSettings) {
  return operation(settings, {
    ...plain,
    path: '/openapi.json',
    id: 'describe',
    summary: 'This description',
    description: 'It is that of this very service: of its addresses, its headers and what it grants.',
    parameters: { header: z.object({ 'If-None-Match': ifNoneMatch }) },
    replies: {
      200: {
        description: 'An OpenAPI 3.1 document',
        schema: z.looseObject({ openapi: z.string(), info: z.looseObject({}), paths: z.looseObject({}) }),
        example: { openapi: '3.1.0', info: { title: 'Kennel', version: '1.0.0' }, paths: {} },
        headers: VERSION,
      },
      304: { description: 'Not changed since', headers: VERSION },
    },
  })
}

const keySchema = z.object({
  kty: z.literal('OKP'),
  crv: z.literal('Ed25519'),
  x: z.string(),
  kid: z.string(),
  use: z.literal('sig'),
  alg: z.literal('EdDSA').optional(),
})

function publicKeys(settings: HttpSettings) {
  const route: Route = {
    ...plain,
    path: '/.well-known/jwks.json',
    id: 'publicKeys',
    summary: 'The keys that verify tokens',
    description: 'A JSON Web Key Set (RFC 7517); the key that signs now comes first.',
    replies: {
      200: {
        description: 'The keys',
        schema: z.object({ keys: z.array(keySchema) }),
        example: { keys: settings.publicKeys },
        headers: {
          'Cache-Control': constantHeader('public, max-age=300'),
          'Access-Control-Allow-Origin': constantHeader('*', 'Pages of any origin may read them.'),
        },
      },
    },
  }
  return operation(settings, { ...route, tag: 'identity' })
}
