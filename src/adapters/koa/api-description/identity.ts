import { z } from 'zod'
import type { ZodOpenApiPathsObject } from 'zod-openapi'
import { errorSchema } from '../schemas/common.js'
import {
  identityEnvelopeSchema,
  loginBodySchema,
  logoutBodySchema,
  refreshBodySchema,
} from '../schemas/identity.js'
import { failures, reply } from './replies.js'

const cookie = { 'Set-Cookie': z.string().meta({ description: 'The session cookie.' }) }
const bothCredentials = [{ SessionCookie: [], BearerAuth: [] }]
const common = [400, 401, 403, 405, 406, 413, 415, 500, 503]
/** Said before the path is known, in the shape of everything outside the prefixes. */
const pathless = failures(errorSchema, [408, 431])
const jsonRequest = (schema: z.ZodType, required = true) => ({
  required,
  content: { 'application/json': { schema } },
})

export const identityPaths: ZodOpenApiPathsObject = {
  '/api/auth/login': {
    post: {
      operationId: 'login',
      summary: 'Log in',
      description: 'Always opens a new session; the session of a valid cookie that is sent along is ended.',
      tags: ['identity'],
      security: [{}],
      requestBody: jsonRequest(loginBodySchema),
      responses: {
        '200': reply('Logged in', identityEnvelopeSchema, cookie),
        ...failures(identityEnvelopeSchema, common),
        ...pathless,
      },
    },
  },
  '/api/auth/get-identity': {
    get: {
      operationId: 'getIdentity',
      summary: 'Who is logged in',
      tags: ['identity'],
      security: bothCredentials,
      responses: {
        '200': reply('The identity; `jwt` and `refreshToken` are null', identityEnvelopeSchema),
        ...failures(identityEnvelopeSchema, [401, 403, 405, 406, 500, 503]),
        ...pathless,
      },
    },
  },
  '/api/auth/refresh': {
    post: {
      operationId: 'refresh',
      summary: 'Renew the token pair',
      description: 'Everybody who sends one refresh token inside the grace window gets the same new pair.',
      tags: ['identity'],
      security: [{ SessionCookie: [] }],
      requestBody: jsonRequest(refreshBodySchema),
      responses: {
        '200': reply('A new pair', identityEnvelopeSchema, cookie),
        ...failures(identityEnvelopeSchema, common),
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
      security: [{ SessionCookie: [], BearerAuth: [] }, {}],
      requestBody: jsonRequest(logoutBodySchema, false),
      responses: {
        '200': reply('Logged out', identityEnvelopeSchema, { 'Set-Cookie': cookie['Set-Cookie'].optional() }),
        ...failures(identityEnvelopeSchema, common),
        ...pathless,
      },
    },
  },
}
