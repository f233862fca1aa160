import type { SessionKey } from '../domain/identity/session.js'
import type { CheckedCredentials } from '../application/identity/presented.js'
import type { Caller, Identity } from '../domain/access/caller.js'

/** A request to an endpoint, independent of the host. */
export type HttpRequest = {
  /** The method as sent, such as `GET` or `HEAD`. */
  readonly method: string
  /** The path as the client sent it: not decoded, and without the query. The path is empty if the request target is invalid. */
  readonly path: string
  /** The query without `?`; empty if there is no query. */
  readonly search: string
  /** The path parameters of the route, decoded. */
  readonly parameters: Readonly<Record<string, string>>
  /** Identifies the request in the logs. */
  readonly requestId: string
  /** The network address of the peer, as the platform writes it. */
  readonly peer: string | undefined
  /** The network address of the client; headers are used only if they come from trusted proxies. */
  readonly address: string | undefined
  readonly userAgent: string | undefined
  /** Returns the value of the header with this lower-case name; the values of a repeated header are joined. */
  header(name: string): string | undefined
  /** Returns the values of the header with this lower-case name in order, so that callers can detect repeated headers. */
  headerValues(name: string): readonly string[]
  readonly hasBody: boolean
  /**
   * Reads and decompresses the whole body. Rejects with an HttpError: 413 if the decompressed body exceeds `limit` bytes, 415 for an
   * unsupported content encoding, 408 for a late body, 400 for an unreadable body.
   */
  readBody(limit: number): Promise<Uint8Array>
  /**
   * Reads and discards a body that no endpoint needs, without decompressing it. Resolves when the body has arrived completely. Rejects with
   * an HttpError: 408 for a late body, 400 for an incomplete body.
   */
  awaitBody(): Promise<void>
}

/** A new session cookie. */
export type IssuedCookie = {
  readonly sessionKey: SessionKey
  /** `Max-Age` in seconds; without this value, the cookie lasts until the browser session ends. */
  readonly maxAge?: number | undefined
}

/** An endpoint's reply. The host adds the headers that every reply has. */
export type HttpReply = {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  /** Content type of the body; JSON by default. */
  readonly type?: string
  /** An object is serialized as JSON. An empty string means an empty body without a content type. The body is absent for 204 and 304. */
  readonly body?: object | string | Uint8Array
  /** Sets the session cookie, or removes it. */
  readonly session?: IssuedCookie | 'ended'
}

/** The default content type of a reply. */
export const JSON_TYPE = 'application/json; charset=utf-8'

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

/** Caches the result of `write` for each frozen value, because a store may return the same unchanged value many times. */
export function remembered<Value extends object, Written>(
  write: (value: Value) => Written,
): (value: Value) => Written {
  const known = new WeakMap<Value, Written>()
  return (value) => {
    const before = known.get(value)
    if (before !== undefined) return before
    const written = write(value)
    if (Object.isFrozen(value)) known.set(value, written)
    return written
  }
}
