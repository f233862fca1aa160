// Replies to clients that close their side of the connection right after the request.
import type { Server } from 'node:http'
import type { Socket } from 'node:net'

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
