import type { CheckedCredentials } from '../application/identity/presented.js'
import type { Caller, Identity } from '../domain/access/caller.js'
import type { HttpReply, HttpRequest } from './message.js'

/** One request, with the results of its endpoint's stages. */
export type Exchange = {
  readonly request: HttpRequest
  /** The credentials, which are read and checked only once. */
  presented?: CheckedCredentials
  caller?: Caller
  identity?: Identity
  /** The parsed JSON body; `undefined` if there is no body. */
  json?: Readonly<Record<string, unknown>>
  /** Why the request was rejected, for the log only. */
  reason?: string | undefined
}

/** A stage of an endpoint; stages run before the endpoint's `work`. To reject the request, the stage throws an error. */
export type Stage = (exchange: Exchange) => Promise<void> | void

export type Work = (exchange: Exchange) => Promise<HttpReply> | HttpReply

/** Runs the stages in order, and then `work`. Uses a loop, because nested calls would cost one promise per stage. */
export function inOrder(stages: readonly Stage[], work: Work): Work {
  return async (exchange) => {
    for (const stage of stages) {
      const underWay = stage(exchange)
      if (underWay) await underWay
    }
    return await work(exchange)
  }
}
