import type { SessionKey } from '../domain/identity/session.js'

/** A request as endpoints see it, whatever host it came through. */
export type HttpRequest = {
  /** As it was sent, such as `GET` or `HEAD`. */
  readonly method: string
  /** Without the query, as it was sent: nothing in it is decoded. Empty if the request target cannot be read. */
  readonly path: string
  /** What follows the `?`; empty where there is none. */
  readonly search: string
  /** The parts of the path that its route names, decoded. */
  readonly parameters: Readonly<Record<string, string>>
  /** Names the request in the logs. */
  readonly requestId: string
  /** The network address at the other end of the connection, as the platform writes it. */
  readonly peer: string | undefined
  /** The client's network address as far as it can be believed. */
  readonly address: string | undefined
  /** What the client calls itself. */
  readonly userAgent: string | undefined
  /** The value of a header by its name in lower case; those of a repeated one are joined. */
  header(name: string): string | undefined
  /**
   * Every value of a header by its name in lower case, in the order they came: who must see an ambiguity looks at
   * these.
   */
  headerValues(name: string): readonly string[]
  readonly hasBody: boolean
  /**
   * The whole body, unpacked. Rejects with an HttpError: 413 beyond `limit` bytes once it is unpacked, 415
   * for an encoding that cannot be unpacked, 408 where it does not arrive in time, 400 for what cannot be read.
   */
  readBody(limit: number): Promise<Uint8Array>
  /**
   * Resolves when the body that no endpoint asks for has arrived whole, where there is one: thrown away as it comes, and
   * never unpacked. Rejects with an HttpError: 408 where it does not arrive in time, 400 where it breaks off.
   */
  awaitBody(): Promise<void>
}

/** A reply as endpoints give it; what every reply carries is added by the host. */
export type HttpReply = {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  /** What the body is; JSON unless said. */
  readonly type?: string
  /** An object is written as JSON. An empty text is a body of no type; none at all is right for 204 and 304. */
  readonly body?: object | string | Uint8Array
  /** What becomes of the session cookie: it carries a key that was just issued, or is taken away. */
  readonly session?: SessionKey | 'ended'
}

/** The type of a reply that says none. */
export const JSON_TYPE = 'application/json; charset=utf-8'
