// The operations that are only for operators.
import { createAdminClient } from 'kennel-id/admin'
import { RequestError } from '../pages/errors.js'

/** The client's methods for operators; they reject with the service's error messages. */
export function createApi(client) {
  const calls = Object.entries(createAdminClient({ client }))
  return Object.fromEntries(calls.map(([name, call]) => [name, (...given) => call(...given).catch(refused)]))
}

function refused(error) {
  const { message, messages: [first, ...others] = [] } = error
  if (!first) throw error
  // A single message about a field has the form `email: must be …`.
  const [, field, about] = (others.length === 0 && /^([a-zA-Z]+): (.*)$/s.exec(message)) || []
  const messages = field ? [{ field, message: about }] : [first, ...others]
  const fields = Object.fromEntries(
    messages.filter(({ field }) => field).map((one) => [one.field, one.message]),
  )
  throw new RequestError(message, { ...error, messages, fields })
}
