import { CODE, NO_FACTOR, OWN_PASSWORD } from '../description/examples.js'
import * as refused from '../description/refusals.js'
import { bodyOf, type Endpoint } from '../endpoint.js'
import { factorEnvelopeSchema, removeFactorBodySchema } from '../schemas/second-factor.js'
import { calling } from '../stages.js'
import { factorReply } from './read-second-factor.js'

/** Declares `POST /api/auth/second-factor/remove`. */
export const removeSecondFactor: Endpoint = {
  method: 'POST',
  path: '/api/auth/second-factor/remove',
  body: bodyOf(removeFactorBodySchema, { ...OWN_PASSWORD, ...CODE }),
  describe: () => ({
    summary: 'Remove the second factor',
    description:
      'Needs the password and a code. After the removal, the password alone is enough to log in. Sessions continue.',
    replies: { 200: { description: 'Removed', schema: factorEnvelopeSchema, example: NO_FACTOR } },
    refusals: {
      400: refused.NOT_VALID_FIELD('code'),
      409: refused.NO_FACTOR,
      429: refused.TOO_MANY_ATTEMPTS,
    },
  }),
  ...calling('removeSecondFactor', ({ json: { password, code } = {} }) => ({ password, code }), factorReply),
}
