import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Exchange } from '../../http/message.js'
import type { RequestObservers } from '../../http/parts.js'
import { isObserved, reportRequest, requestMethod, UNMATCHED } from '../../http/request-log.js'

/** A request on Node's server. The `state` object is complete when the request ends. */
export type ObservedMessage = {
  readonly req: IncomingMessage
  readonly res: ServerResponse
  readonly state: { readonly route?: string | undefined; readonly exchange?: Exchange }
}

/** Logs and counts each request when it ends. */
export function createRequestObserver(observers: RequestObservers): (message: ObservedMessage) => void {
  return ({ req, res, state }) => {
    if (!isObserved(observers)) return
    const begun = performance.now()
    const report = () => {
      if (!state.exchange) return
      const method = requestMethod(req.method ?? '')
      const { route = UNMATCHED } = state
      const status = res.headersSent ? res.statusCode : 'aborted'
      const duration = performance.now() - begun
      reportRequest(observers, { method, route, status, duration }, state.exchange)
    }
    // Node emits `close` exactly once, possibly before this function is called.
    if (res.closed) setImmediate(report)
    else res.on('close', report)
  }
}
