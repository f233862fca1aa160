import type { Identity } from '../../domain/access/caller.js'
import { IDENTITY } from '../description/examples.js'
import { identityReply } from '../description/replies.js'
import type { Endpoint } from '../endpoint.js'
import type { HttpReply } from '../message.js'
import { identityView, succeeded } from '../reply/envelope.js'
import { remembered } from '../reply/remembered.js'
import { presentedOf, presentedSession } from '../stages.js'

/** Declares `GET /api/auth/get-identity`. */
export const getIdentity: Endpoint = {
  method: 'GET',
  path: '/api/auth/get-identity',
  operation: 'getIdentity',
  describe: (settings) => ({
    summary: 'Get the current identity',
    description: settings.stateless
      ? 'The identity in the token, while the token is valid.'
      : 'Cookie and token must belong to one session; neither alone proves a login.',
    replies: { 200: identityReply('The identity; `jwt` and `refreshToken` are null', IDENTITY) },
  }),
  stages: (parts) => [presentedSession(parts, 'refused')],
  work:
    ({ useCases }) =>
    async (exchange) => {
      const identity = await useCases.getIdentity(presentedOf(exchange))
      exchange.identity = identity
      return replyOf(identity)
    },
}

const replyOf = remembered((identity: Identity): HttpReply => ({
  status: 200,
  body: JSON.stringify(succeeded(200, identityView(identity))),
}))
