import { replyOf } from 'kennel-id'

/** Only who is logged in reaches the route; all others get the refusal, and so do those whom the route refuses. */
function loggedIn(route) {
  return async (request) => {
    try {
      return await route(await globalThis.kennel.identify(request), request)
    } catch (error) {
      const reply = replyOf(error)
      return Response.json(reply.body, reply)
    }
  }
}

export const GET = loggedIn((identity) => Response.json({ hello: identity.email }))
