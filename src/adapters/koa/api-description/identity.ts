import { z } from 'zod'
import type { ZodOpenApiPathsObject } from 'zod-openapi'
import { errorSchema } from '../schemas/common.js'
import {
  identityEnvelopeSchema,
  loginBodySchema,
  logoutBodySchema,
  refreshBodySchema,
} from '../schemas/identity.js'
import type { HttpSettings } from '../settings.js'
import { provenBy } from './proofs.js'
import { failures, reply } from './replies.js'

const SET_COOKIE = z.string().meta({ description: 'The session cookie.' })
export const COMMON_FAILURES = [400, 401, 403, 405, 406, 413, 415, 500, 503]
/** Said before the path is known, in the shape of everything outside the prefixes. */
export const pathless = failures(errorSchema, [408, 431])
export const jsonRequest = (schema: z.ZodType, required = true) => ({
  required,
  content: { 'application/json': { schema } },
})

/** Without sessions no cookie is set or needed. */
export function identityPaths({ stateless }: HttpSettings): ZodOpenApiPathsObject {
  return { ...loginPaths(stateless), ...pairPaths(stateless) }
}

export function cookieOf(stateless: boolean): Record<string, z.ZodType> {
  return stateless ? {} : { 'Set-Cookie': SET_COOKIE }
}

function loginPaths(stateless: boolean): ZodOpenApiPathsObject {
  return {
    '/api/auth/login': {
      post: {
        operationId: 'login',
        summary: 'Log in',
        description: stateless
          ? 'Nothing is stored: the two tokens are the login.'
          : 'Always opens a new session; the session of a valid cookie that is sent along is ended.',
        tags: ['identity'],
        security: [{}],
        requestBody: jsonRequest(loginBodySchema),
        responses: {
          '200': reply('Logged in', identityEnvelopeSchema, cookieOf(stateless)),
          ...failures(identityEnvelopeSchema, [...COMMON_FAILURES, 429]),
          ...pathless,
        },
      },
    },
    '/api/auth/get-identity': {
      get: {
        operationId: 'getIdentity',
        summary: 'Who is logged in',
        tags: ['identity'],
        security: [provenBy(stateless)],
        responses: {
          '200': reply('The identity; `jwt` and `refreshToken` are null', identityEnvelopeSchema),
          ...failures(identityEnvelopeSchema, [401, 403, 405, 406, 500, 503]),
          ...pathless,
        },
      },
    },
  }
}

function pairPaths(stateless: boolean): ZodOpenApiPathsObject {
  return {
    '/api/auth/refresh': {
      post: {
        operationId: 'refresh',
        summary: 'Renew the token pair',
        description: stateless
          ? 'The roles in the new pair are those of now.'
          : 'Everybody who sends one refresh token inside the grace window gets the same new pair.',
        tags: ['identity'],
        security: [stateless ? {} : { SessionCookie: [] }],
        requestBody: jsonRequest(refreshBodySchema),
        responses: {
          '200': reply('A new pair', identityEnvelopeSchema, cookieOf(stateless)),
          ...failures(identityEnvelopeSchema, COMMON_FAILURES),
          ...pathless,
        },
      },
    },
    '/api/auth/logout': {
      post: {
        operationId: 'logout',
        summary: 'Log out',
        description: 'Harmless where nobody is logged in.',
        tags: ['identity'],
        security: [provenBy(stateless), {}],
        requestBody: jsonRequest(logoutBodySchema, false),
        responses: {
          '200': reply('Logged out', identityEnvelopeSchema, {
            ...(!stateless && { 'Set-Cookie': SET_COOKIE.optional() }),
          }),
          ...failures(identityEnvelopeSchema, COMMON_FAILURES),
          ...pathless,
        },
      },
    },
  }
}
