import type { IncomingMessage, ServerResponse } from 'node:http'
import { createDirectReplies } from '../adapters/node/direct-replies.js'
import type { DirectParts } from '../http/direct-parts.js'

/** Handles one HTTP request. */
export type Listener = (request: IncomingMessage, response: ServerResponse) => Promise<void>

/** A listener for all requests of the service. */
export type RequestListener = {
  readonly handle: Listener
  /** Immediately loads the listener for requests that are not plain GETs. Never rejects. */
  readonly preload: () => Promise<void>
}

/**
 * Replies to plain GET requests directly, and passes all other requests to a listener that is loaded when it is first needed. Loading it at
 * startup would take a tenth of the startup time. If loading fails, the connection is closed, and the next request tries to load the
 * listener again.
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
