import { FACTOR_SET_UP, OWN_PASSWORD } from '../description/examples.js'
import * as refused from '../description/refusals.js'
import { bodyOf, type Endpoint } from '../endpoint.js'
import { success } from '../reply/envelope.js'
import { factorSetUpEnvelopeSchema, setUpFactorBodySchema } from '../schemas/second-factor.js'
import { calling } from '../stages.js'

/** Declares `POST /api/auth/second-factor/set-up`. */
export const setUpSecondFactor: Endpoint = {
  method: 'POST',
  path: '/api/auth/second-factor/set-up',
  body: bodyOf(setUpFactorBodySchema, OWN_PASSWORD),
  describe: (settings) => ({
    summary: 'Set up a second factor',
    description:
      'For an authenticator app. Takes effect when it is confirmed, which must be within one hour.',
    replies: {
      200: {
        description: 'The data for the app, which is shown only this time',
        schema: factorSetUpEnvelopeSchema,
        example: FACTOR_SET_UP,
      },
    },
    refusals: {
      400: refused.NOT_VALID_FIELD('password'),
      409: refused.FACTOR_ACTIVE,
      ...(settings.limitsAttempts && { 429: refused.TOO_MANY_ATTEMPTS }),
    },
  }),
  ...calling(
    'setUpSecondFactor',
    ({ json: { password } = {} }) => ({ password }),
    ({ secret, uri, qrCode }) => ({ status: 200, body: success({ secret, uri, qrCode }) }),
  ),
}
