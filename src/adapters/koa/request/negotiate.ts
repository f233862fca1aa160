import type { Stage } from '../context.js'
import { HttpError } from '../reply/http-error.js'

/** Everything that the service says is JSON: 406 to a client that takes only something else. */
export const negotiate: Stage = (ctx) => {
  const { accept } = ctx.req.headers
  if (
    accept !== undefined &&
    accept !== '*/*' &&
    accept !== 'application/json' &&
    !ctx.accepts('application/json')
  ) {
    throw new HttpError(406, 'Only application/json can be sent.')
  }
}
