import { issuedCookie } from '../description/headers.js'
import { CODE, FACTOR_CONFIRMED } from '../description/examples.js'
import * as refused from '../description/refusals.js'
import { bodyOf, type Endpoint } from '../endpoint.js'
import { issuedView, succeeded } from '../reply/envelope.js'
import { confirmFactorBodySchema, factorConfirmedEnvelopeSchema } from '../schemas/second-factor.js'
import { calling, issuedReply } from '../stages.js'

/** Declares `POST /api/auth/second-factor/confirm`. */
export const confirmSecondFactor: Endpoint = {
  method: 'POST',
  path: '/api/auth/second-factor/confirm',
  body: bodyOf(confirmFactorBodySchema, CODE),
  describe: (settings) => ({
    summary: 'Confirm the second factor that was set up',
    description:
      'From now on a login needs a code. The reply has the credentials of a login with the second factor; the previous credentials are void.',
    replies: {
      200: {
        description: 'Confirmed, with ten recovery codes',
        schema: factorConfirmedEnvelopeSchema,
        example: FACTOR_CONFIRMED,
        headers: issuedCookie(settings),
      },
    },
    refusals: {
      400: refused.NOT_VALID_FIELD('code'),
      409: refused.NO_SET_UP,
      429: refused.TOO_MANY_ATTEMPTS,
    },
  }),
  ...calling(
    'confirmSecondFactor',
    ({ json: { code } = {} }) => ({ code }),
    ({ issued, recoveryCodes }, context) => ({
      ...issuedReply(issued, context),
      body: succeeded(200, { ...issuedView(issued, false), recoveryCodes }),
    }),
  ),
}
