// Replies to clients that close their side of the connection right after the request.
import type { Server, IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'

/** Properties that Node's type declarations omit. */
type SocketWithServer = { readonly server?: Server & { httpAllowHalfOpen?: boolean } }

/**
 * Lets a client close its sending side before it has received its replies, as HTTP/1.1 allows. By default, Node would drop the remaining
 * replies. Node reads `httpAllowHalfOpen` when the client closes its sending side; for TLS servers, `allowHalfOpen` must also be set on the
 * socket. Node closes the connection after the last reply.
 */
export function replyToHalfClosed(socket: Socket): void {
  const { server } = socket as SocketWithServer
  if (server) server.httpAllowHalfOpen = true
  socket.allowHalfOpen = true
}

/** How many milliseconds the server keeps reading from a connection after its last reply. */
const LINGER = 2000

/**
 * Reads and discards input after the last reply until the client closes its sending side. Otherwise, Node would destroy the connection. If
 * unread data had arrived by then, the connection would be reset, and the client could lose the end of the reply (RFC 9112, 9.6).
 */
export function lingerAfterLast(socket: Socket): void {
  socket.destroySoon = () => {
    socket.end()
    socket
      .removeAllListeners('data')
      .on('data', () => undefined)
      .resume()
    destroyLate(socket)
  }
}

/** Destroys the socket if the client does not close its sending side in time. */
export function destroyLate(socket: Duplex): void {
  const timer = setTimeout(() => socket.destroy(), LINGER)
  socket.once('close', () => clearTimeout(timer))
}

/** Returns whether the headers announce a non-empty body. */
export function announcesBody({ headers }: IncomingMessage): boolean {
  const { 'content-length': length, 'transfer-encoding': encoding } = headers
  return encoding !== undefined || (length !== undefined && length !== '0')
}

const HANG_UP_CODES = ['ECONNRESET', 'EPIPE', 'ERR_STREAM_PREMATURE_CLOSE']

/** Returns whether the client hung up before it had received the whole reply, which is not an error in the service. */
export function isHangUp(error: unknown): boolean {
  return error instanceof Error && 'code' in error && HANG_UP_CODES.includes(String(error.code))
}
