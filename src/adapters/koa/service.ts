import type { IncomingMessage, ServerResponse } from 'node:http'
import type { HttpInterfaceParts } from '../../http/parts.js'
import type { Log } from '../../ports/log.js'
import type { Metrics } from '../../ports/metrics.js'

/** The parts of the service. A Kennel of `openKennel` serves as the use cases, and has the settings. */
export type HttpServiceParts = HttpInterfaceParts & {
  /** Gets a line for each request at `info`, and a line for each error. */
  readonly log: Log
  /** Counts each request. */
  readonly metrics?: Metrics
}

/** A middleware for any Koa application. Its type does not need the declarations of koa. */
export type HttpService = {
  /** Answers every request that reaches it, and calls no later middleware. */
  (context: MountingContext): Promise<void>
  /** A handler for a server of Node. */
  callback(): (request: IncomingMessage, response: ServerResponse) => Promise<void>
}

/** The members of a Koa context that a mounted service uses. */
export type MountingContext = {
  readonly req: IncomingMessage
  readonly res: ServerResponse
  status: number
  body: unknown
  /** Sets a header of the reply. */
  readonly set: (name: string, value: string) => void
  /** Removes a header of the reply. */
  readonly remove: (name: string) => void
}
