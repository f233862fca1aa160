import { CODE, OWN_PASSWORD, RECOVERY_RENEWED } from '../description/examples.js'
import * as refused from '../description/refusals.js'
import { bodyOf, type Endpoint } from '../endpoint.js'
import { success } from '../reply/envelope.js'
import { recoveryRenewedEnvelopeSchema, renewRecoveryBodySchema } from '../schemas/second-factor.js'
import { calling } from '../stages.js'

/** Declares `POST /api/auth/second-factor/recovery-codes`. */
export const renewRecoveryCodes: Endpoint = {
  method: 'POST',
  path: '/api/auth/second-factor/recovery-codes',
  body: bodyOf(renewRecoveryBodySchema, { ...OWN_PASSWORD, ...CODE }),
  describe: () => ({
    summary: 'Create new recovery codes',
    description:
      'Needs the password and a code. The previous recovery codes become invalid. Sessions continue.',
    replies: {
      200: {
        description: 'Ten new recovery codes',
        schema: recoveryRenewedEnvelopeSchema,
        example: RECOVERY_RENEWED,
      },
    },
    refusals: {
      400: refused.NOT_VALID_FIELD('code'),
      409: refused.NO_FACTOR,
      429: refused.TOO_MANY_ATTEMPTS,
    },
  }),
  ...calling(
    'renewRecoveryCodes',
    ({ json: { password, code } = {} }) => ({ password, code }),
    (recoveryCodes) => ({ status: 200, body: success({ recoveryCodes }) }),
  ),
}
