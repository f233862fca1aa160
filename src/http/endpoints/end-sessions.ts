import { clearedCookie } from '../description/headers.js'
import * as refused from '../description/refusals.js'
import { bodyOf, type Endpoint } from '../endpoint.js'
import { success } from '../reply/envelope.js'
import { endedSessionsEnvelopeSchema, endSessionsBodySchema } from '../schemas/sessions.js'
import { calling, members } from '../stages.js'

/** Declares `POST /api/auth/sessions/end`; absent in stateless mode, which has no sessions. */
export const endSessions: Endpoint = {
  method: 'POST',
  path: '/api/auth/sessions/end',
  isOffered: ({ stateless }) => !stateless,
  body: bodyOf(endSessionsBodySchema, { others: true }),
  describe: (settings) => ({
    id: 'endSessions',
    summary: 'End sessions of your own account',
    description:
      '`id` ends that session, even if it is the current session; `others` ends all sessions except the current session.',
    replies: {
      200: {
        description: 'The number of ended sessions',
        schema: endedSessionsEnvelopeSchema,
        example: success({ ended: 2 }),
        headers: clearedCookie(settings),
      },
    },
    refusals: { 400: refused.ID_OR_OTHERS, 404: refused.NO_SESSION },
  }),
  ...calling('endOwnSessions', members('id', 'others'), ({ ended, current }) => ({
    status: 200,
    body: success({ ended }),
    ...(current && { session: 'ended' }),
  })),
}
