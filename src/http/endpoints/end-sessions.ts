import { clearedCookie } from '../description/cookies.js'
import * as refused from '../description/refusals.js'
import { loginRequirement } from '../description/security.js'
import { identityBody, type Endpoint } from '../endpoint.js'
import { succeeded } from '../reply/envelope.js'
import { endedSessionsEnvelopeSchema, endSessionsBodySchema } from '../schemas/sessions.js'
import { callingOwn } from '../stages.js'

/** Absent in stateless mode, which has no sessions. */
export const endSessions: Endpoint = {
  method: 'POST',
  path: '/api/auth/sessions/end',
  isOffered: ({ stateless }) => !stateless,
  body: identityBody(endSessionsBodySchema, { others: true }),
  describe: (settings) => ({
    id: 'endSessions',
    summary: 'End sessions of the own account',
    description:
      'With `id` it ends that session, which may be the current session; with `others` all others.',
    tag: 'identity',
    security: [loginRequirement(settings)],
    replies: {
      200: {
        description: 'The number of ended sessions',
        schema: endedSessionsEnvelopeSchema,
        example: succeeded(200, { ended: 2, messages: [] }),
        headers: clearedCookie(settings),
      },
    },
    refusals: {
      400: refused.ID_OR_OTHERS,
      401: refused.INVALID_TOKEN,
      403: refused.WHILE_ACTING,
      404: refused.NO_SESSION,
    },
  }),
  ...callingOwn(
    'endOwnSessions',
    ({ json: { id, others } = {} }) => ({ id, others }),
    (_exchange, { ended, current }) => ({
      status: 200,
      body: succeeded(200, { ended, messages: [] }),
      ...(current && { session: 'ended' }),
    }),
  ),
}
