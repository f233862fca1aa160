import { replyOf } from 'kennel-id'

/**
 * Greets a logged-in caller; any other caller gets an error response.
 *
 * @param {Request} request
 */
export async function GET(request) {
  try {
    const { email } = await globalThis.kennel.identify(request)
    return Response.json({ hello: email })
  } catch (error) {
    const { body, ...init } = replyOf(error)
    return Response.json(body, init)
  }
}
