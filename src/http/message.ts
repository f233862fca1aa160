import type { SessionKey } from '../domain/identity/session.js'

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
