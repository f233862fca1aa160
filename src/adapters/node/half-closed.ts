import type { Server } from 'node:http'
import type { Socket } from 'node:net'

/** Members that the types of Node omit. */
type Served = { readonly server?: Server & { httpAllowHalfOpen?: boolean } }

/**
 * Lets a client close its sending half before it has its replies, as HTTP/1.1 allows. By default Node would drop the
 * replies. Node reads these options when the client closes its half; TLS servers also need the option of the socket.
 * Node closes the connection after the last reply.
 */
export function replyToHalfClosed(socket: Socket): void {
  const { server } = socket as Served
  if (server) server.httpAllowHalfOpen = true
  socket.allowHalfOpen = true
}
