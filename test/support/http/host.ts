import type { RequestListener } from 'node:http'
import type { ServerRequest } from 'srvx'
import { toNodeHandler } from 'srvx/node'
import { createHttpService, type HttpServiceParts } from '../../../src/adapters/koa/index.js'
import { createHandler } from '../../../src/adapters/web/index.js'

/** Which host the HTTP interface of this run is in. */
export const HOST = process.env['TEST_HOST'] === 'web' ? 'web' : 'koa'

/** How long the web host waits for a body, in milliseconds. */
export type HostParts = HttpServiceParts & { readonly bodyTimeout: number }

/** What a server of Node hands its requests to. */
export function listenerOf(parts: HostParts): RequestListener {
  return HOST === 'web' ? webListener(parts) : koaListener(parts)
}

function koaListener(parts: HttpServiceParts): RequestListener {
  const answer = createHttpService(parts).callback()
  return (request, response) => void answer(request, response)
}

/** srvx keeps headers that come twice, and adds none of its own. */
export function webListener({ useCases, settings, readiness, ...options }: HostParts): RequestListener {
  const kennel = { ...useCases, httpSettings: settings, closed: false, ready: readiness }
  const handler = createHandler(kennel, options)
  // It is one for HTTP/2 as well.
  return toNodeHandler((request: ServerRequest) =>
    handler(request, { address: request.ip }),
  ) as RequestListener
}
