import type { Exchange } from '../../http/exchange.js'
import type { RequestObservers } from '../../http/parts.js'
import { requestMethod, tellRequest } from '../../http/request-log.js'
import type { CompletedRequest } from '../../ports/metrics.js'

/** Waits for the answer to a request and tells of it, once: when it is there, or its client hangs up before. */
export async function observed(
  { observers, route, exchange }: { observers: RequestObservers; route: string; exchange: Exchange },
  signal: AbortSignal,
  work: () => Promise<Response>,
): Promise<Response> {
  const begun = performance.now()
  let isTold = false
  const tell = (status: CompletedRequest['status']) => {
    if (isTold) return
    isTold = true
    const method = requestMethod(exchange.request.method)
    tellRequest(observers, { method, route, status, duration: performance.now() - begun }, exchange)
  }
  const leave = () => {
    tell('aborted')
  }
  signal.addEventListener('abort', leave, { once: true })
  const response = await work()
  signal.removeEventListener('abort', leave)
  tell(signal.aborted ? 'aborted' : response.status)
  return response
}
