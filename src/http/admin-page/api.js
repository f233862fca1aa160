// Calls the routes under /api/admin with the client's login.
import { known, RequestError } from '../pages/errors.js'

/** `onPending` gets the number of open requests. */
export function createApi(client, onPending) {
  let pending = 0

  async function send(method, path, body) {
    onPending((pending += 1))
    try {
      const headers = body && { 'Content-Type': 'application/json' }
      const reply = await client.fetch(`/api/admin${path}`, { method, headers, body: JSON.stringify(body) })
      const text = await reply.text()
      if (!reply.ok) throw refusal(reply, text)
      return { body: text && JSON.parse(text), next: cursorOf(reply) }
    } catch (error) {
      throw known(error)
    } finally {
      onPending((pending -= 1))
    }
  }

  const bodyOf = (method) => async (path, body) => (await send(method, path, body)).body
  return {
    ...{ get: bodyOf('GET'), post: bodyOf('POST'), put: bodyOf('PUT'), remove: bodyOf('DELETE') },
    /** Resolves with the items of one page, and with the cursor of the next page if there is a next page. */
    page: async (path, query) => {
      const { body: items, next } = await send('GET', `${path}?${search(query)}`)
      return { items, next }
    },
  }
}

/** The query without empty members. */
export function search(query) {
  return new URLSearchParams(Object.entries(query).filter(([, value]) => value))
}

function cursorOf({ headers }) {
  return new URLSearchParams(headers.get('x-next')?.replace(/^[^?]*/, '')).get('cursor') ?? undefined
}

function refusal({ status, headers }, text) {
  const requestId = headers.get('X-Request-Id') ?? undefined
  const { message = `The service replied with status ${status}.`, errors = [] } = parsed(text)
  // A reply about one field has the form `email: must be …`.
  const [, field, about] = /^([a-zA-Z]+): (.*)$/s.exec(message) ?? []
  const named = field ? [{ field, message: about }, ...errors] : errors
  const fields = Object.fromEntries(named.map((one) => [one.field, one.message]))
  return new RequestError(message, { status, fields, requestId })
}

function parsed(text) {
  try {
    return { ...JSON.parse(text) }
  } catch {
    return {}
  }
}
