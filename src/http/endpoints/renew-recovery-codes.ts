import { CODE, OWN_PASSWORD, RECOVERY_RENEWED } from '../description/examples.js'
import * as refused from '../description/refusals.js'
import { loginRequirement } from '../description/security.js'
import { identityBody, type Endpoint } from '../endpoint.js'
import { succeeded } from '../reply/envelope.js'
import { recoveryRenewedEnvelopeSchema, renewRecoveryBodySchema } from '../schemas/second-factor.js'
import { callingOwn } from '../stages.js'

export const renewRecoveryCodes: Endpoint = {
  method: 'POST',
  path: '/api/auth/second-factor/recovery-codes',
  body: identityBody(renewRecoveryBodySchema, { ...OWN_PASSWORD, ...CODE }),
  describe: (settings) => ({
    id: 'renewRecoveryCodes',
    summary: 'Make new recovery codes',
    description: 'Needs the password and a code. The previous recovery codes are void. Sessions continue.',
    tag: 'identity',
    security: [loginRequirement(settings)],
    replies: {
      200: {
        description: 'Ten new recovery codes',
        schema: recoveryRenewedEnvelopeSchema,
        example: RECOVERY_RENEWED,
      },
    },
    refusals: {
      400: refused.NOT_VALID_FIELD('code'),
      401: refused.INVALID_TOKEN,
      403: refused.WHILE_ACTING,
      409: refused.NO_FACTOR,
      429: refused.TOO_MANY_ATTEMPTS,
    },
  }),
  ...callingOwn(
    'renewRecoveryCodes',
    ({ json: { password, code } = {} }) => ({ password, code }),
    (_exchange, recoveryCodes) => ({
      status: 200,
      body: succeeded(200, { recoveryCodes, messages: [] }),
    }),
  ),
}
