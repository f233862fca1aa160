import type { Identity } from '../../domain/access/caller.js'
import { IDENTITY } from '../description/examples.js'
import * as refused from '../description/refusals.js'
import { provenBy } from '../description/security.js'
import type { Endpoint } from '../endpoint.js'
import type { HttpReply } from '../message.js'
import { identityView, succeeded } from '../reply/envelope.js'
import { remembered } from '../reply/remembered.js'
import { negotiate } from '../request/negotiate.js'
import { identityEnvelopeSchema } from '../schemas/identity.js'
import { presentedOf, presentedSession } from '../stages.js'

export const getIdentity: Endpoint = {
  method: 'GET',
  path: '/api/auth/get-identity',
  operation: 'getIdentity',
  describe: (settings) => ({
    id: 'getIdentity',
    summary: 'Who is logged in',
    description: settings.stateless
      ? 'What the token says, as long as it is good.'
      : 'Cookie and token have to be of one session; neither alone proves a login.',
    tag: 'identity',
    security: [provenBy(settings)],
    replies: {
      200: {
        description: 'The identity; `jwt` and `refreshToken` are null',
        schema: identityEnvelopeSchema,
        example: IDENTITY,
      },
    },
    refusals: { 401: refused.INVALID_TOKEN },
  }),
  stages: (parts) => [presentedSession(parts, 'refused')],
  work:
    ({ useCases }) =>
    async (exchange) => {
      const identity = await useCases.getIdentity(presentedOf(exchange))
      exchange.identity = identity
      // A bad token is told before anything else; nothing is lost by reading first.
      negotiate(exchange)
      return replyOf(identity)
    },
}

const replyOf = remembered((identity: Identity): HttpReply => ({
  status: 200,
  body: JSON.stringify(succeeded(200, identityView(identity))),
}))
