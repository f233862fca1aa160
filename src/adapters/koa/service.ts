import type { IncomingMessage, ServerResponse } from 'node:http'
import type { HttpInterfaceParts } from '../../http/parts.js'
import type { Log } from '../../ports/log.js'
import type { Metrics } from '../../ports/metrics.js'

/** What the service is made of. A Kennel of `openKennel` is its use cases and has its settings. */
export type HttpServiceParts = HttpInterfaceParts & {
  /** Gets a line for each request at `info`, and one for whatever goes wrong. */
  readonly log: Log
  /** Is told of each request. */
  readonly metrics?: Metrics
}

/** The service is a middleware of any Koa application; of koa's own declarations its type needs none. */
export type HttpService = {
  /** Answers every request of the application's that gets here, whatever comes after it. */
  (context: MountingContext): Promise<void>
  /** A handler for a server of Node's. */
  callback(): (request: IncomingMessage, response: ServerResponse) => Promise<void>
}

/** What of a request a Koa application hands to the service that it has mounted. */
export type MountingContext = {
  readonly req: IncomingMessage
  readonly res: ServerResponse
  status: number
  body: unknown
  /** Sets a header of the reply. */
  readonly set: (name: string, value: string) => void
  /** Takes a header of the reply away. */
  readonly remove: (name: string) => void
}
