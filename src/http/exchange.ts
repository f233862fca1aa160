import type { CheckedCredentials } from '../application/identity/presented.js'
import type { Caller, Identity } from '../domain/access/caller.js'
import type { HttpReply, HttpRequest } from './message.js'

/** One request, and what the stages of its endpoint hand to each other. */
export type Exchange = {
  readonly request: HttpRequest
  /** The credentials, read and checked once. */
  presented?: CheckedCredentials
  caller?: Caller
  identity?: Identity
  /** The parsed JSON body: an object, or `undefined` where none was sent. */
  json?: Readonly<Record<string, unknown>>
}

/** One check or step of an endpoint; what it finds wrong it throws. */
export type Stage = (exchange: Exchange) => Promise<void> | void

/** What an endpoint does: after its stages, or with all of them before it. */
export type Work = (exchange: Exchange) => Promise<HttpReply> | HttpReply

/** Stages in their order and the work after them. Flat: nesting would cost a promise a stage, and most have nothing to wait for. */
export function inOrder(stages: readonly Stage[], work: Work): Work {
  return async (exchange) => {
    for (const stage of stages) {
      const underWay = stage(exchange)
      if (underWay) await underWay
    }
    return await work(exchange)
  }
}
