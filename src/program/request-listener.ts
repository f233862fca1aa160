import type { IncomingMessage, ServerResponse } from 'node:http'
import { createDirectReplies } from '../adapters/node/direct-replies.js'
import type { DirectParts } from '../http/direct-parts.js'

/** Replies to one request. */
export type Listener = (request: IncomingMessage, response: ServerResponse) => Promise<void>

/** A listener for all requests of the service. */
export type RequestListener = {
  readonly handle: Listener
  /** Immediately loads the listener for requests that are not plain GETs. Never rejects. */
  readonly preload: () => Promise<void>
}

/**
 * Replies to a plain GET directly and passes all other requests to another listener, which is loaded only when the first such request
 * arrives, because loading takes a tenth of the startup time. If loading fails, the connection is closed, and the next request tries to
 * load the listener again.
 */
export function createRequestListener(parts: DirectParts, load: () => Promise<Listener>): RequestListener {
  const { log } = parts
  const replyDirectly = createDirectReplies(parts)
  let loading: Promise<Listener> | undefined

  async function loadOnce(): Promise<Listener> {
    try {
      return await (loading ??= load())
    } catch (error) {
      loading = undefined
      throw error
    }
  }

  function logFailure(error: unknown): void {
    log.error('reply failed', { error })
  }

  return {
    handle: async (request, response) => {
      if (replyDirectly(request, response)) return
      try {
        const other = await loadOnce()
        await other(request, response)
      } catch (error) {
        logFailure(error)
        response.destroy()
      }
    },
    preload: () => loadOnce().then(() => undefined, logFailure),
  }
}
