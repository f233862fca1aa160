import type { RequestListener } from 'node:http'
import { createHttpService } from '../../../src/adapters/koa/index.js'
import type { HttpServiceParts } from '../../../src/adapters/koa/http-service.js'
import { createListener } from '../../../src/adapters/node/index.js'
import { createHandler } from '../../../src/adapters/web/index.js'

/** The host that serves the HTTP interface in this run. */
const HOST = process.env['TEST_HOST'] === 'web' ? 'web' : 'koa'

/** How long the web host waits for a body, in milliseconds. */
export type HostParts = HttpServiceParts & { readonly bodyTimeout: number }

/** Returns a request listener for a Node server. */
export function listenerOf(parts: HostParts): RequestListener {
  return HOST === 'web' ? webListener(parts) : koaListener(parts)
}

function koaListener(parts: HttpServiceParts): RequestListener {
  const answer = createHttpService(parts).callback()
  return (request, response) => void answer(request, response)
}

export function webListener({ useCases, settings, readiness, ...options }: HostParts): RequestListener {
  const kennel = { ...useCases, httpSettings: settings, closed: false, ready: readiness }
  return createListener(createHandler(kennel, options))
}
