import { FACTOR_SET_UP, OWN_PASSWORD } from '../description/examples.js'
import * as refused from '../description/refusals.js'
import { loginRequirement } from '../description/security.js'
import { identityBody, type Endpoint } from '../endpoint.js'
import { succeeded } from '../reply/envelope.js'
import { factorSetUpEnvelopeSchema, setUpFactorBodySchema } from '../schemas/second-factor.js'
import { callingOwn } from '../stages.js'

export const setUpSecondFactor: Endpoint = {
  method: 'POST',
  path: '/api/auth/second-factor/set-up',
  body: identityBody(setUpFactorBodySchema, OWN_PASSWORD),
  describe: (settings) => ({
    id: 'setUpSecondFactor',
    summary: 'Set up a second factor',
    description: 'For an authenticator app. Takes effect when it is confirmed, within one hour.',
    tag: 'identity',
    security: [loginRequirement(settings)],
    replies: {
      200: {
        description: 'The data for the app, only this time',
        schema: factorSetUpEnvelopeSchema,
        example: FACTOR_SET_UP,
      },
    },
    refusals: {
      400: refused.NOT_VALID_FIELD('password'),
      401: refused.INVALID_TOKEN,
      403: refused.WHILE_ACTING,
      409: refused.FACTOR_ACTIVE,
      ...(settings.limitsAttempts && { 429: refused.TOO_MANY_ATTEMPTS }),
    },
  }),
  ...callingOwn(
    'setUpSecondFactor',
    ({ json: { password } = {} }) => ({ password }),
    (_exchange, { secret, uri, qrCode }) => ({
      status: 200,
      body: succeeded(200, { secret, uri, qrCode, messages: [] }),
    }),
  ),
}
