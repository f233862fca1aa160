import type { FactorStatus } from '../../application/identity/second-factor/read-second-factor.js'
import { FACTOR } from '../description/examples.js'
import type { Endpoint } from '../endpoint.js'
import type { HttpReply } from '../message.js'
import { success } from '../reply/envelope.js'
import { factorEnvelopeSchema } from '../schemas/second-factor.js'
import { forLogins, presentedOf } from '../stages.js'

/** Declares `GET /api/auth/second-factor`. */
export const readSecondFactor: Endpoint = {
  method: 'GET',
  path: '/api/auth/second-factor',
  operation: 'readSecondFactor',
  describe: () => ({
    summary: 'Get the state of the second factor',
    replies: {
      200: { description: 'The state of the second factor', schema: factorEnvelopeSchema, example: FACTOR },
    },
  }),
  stages: forLogins,
  work:
    ({ useCases }) =>
    async (exchange) =>
      factorReply(await useCases.readSecondFactor(presentedOf(exchange))),
}

export function factorReply({ since, ...status }: FactorStatus): HttpReply {
  const secondFactor = { ...status, since: since === undefined ? null : new Date(since).toISOString() }
  return { status: 200, body: success({ secondFactor }) }
}
