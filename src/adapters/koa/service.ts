import type { IncomingMessage, ServerResponse } from 'node:http'
import type { HttpInterfaceParts } from '../../http/parts.js'
import type { Log } from '../../ports/log.js'
import type { Metrics } from '../../ports/metrics.js'

/** Dependencies of the HTTP service. A `Kennel` object provides the use cases and the settings. */
export type HttpServiceParts = HttpInterfaceParts & {
  /** Logs each request at level `info`, and logs each error. */
  readonly log: Log
  readonly metrics?: Metrics
}

/** Middleware for any Koa application. The type does not depend on Koa's type declarations. */
export type HttpService = {
  /** Replies to every request and never calls the next middleware. */
  (context: MountingContext): Promise<void>
  /** Returns a request handler for Node's HTTP server. */
  callback(): (request: IncomingMessage, response: ServerResponse) => Promise<void>
}

/** The properties of a Koa context that a mounted service uses. */
export type MountingContext = {
  readonly req: IncomingMessage
  readonly res: ServerResponse
  status: number
  body: unknown
  readonly set: (name: string, value: string) => void
  readonly remove: (name: string) => void
}
