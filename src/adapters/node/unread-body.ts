import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { IncomingMessage } from 'node:http'

/** How long the server still reads an answered connection, in milliseconds, so that the client receives the answer. */
const LINGER = 2000

/**
 * Node destroys a connection after its last answer. If the client has sent more by then, the connection is
 * reset and the client loses the end of the answer (RFC 9112, 9.6). So the rest is read and discarded until the
 * client closes its half.
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

/** For a client that does not close its half. */
export function destroyLate(socket: Duplex): void {
  const late = setTimeout(() => socket.destroy(), LINGER)
  socket.once('close', () => clearTimeout(late))
}

/** Whether the headers of a request announce a body that is not empty. */
export function announcesBody({ headers }: IncomingMessage): boolean {
  const { 'content-length': length, 'transfer-encoding': encoding } = headers
  return encoding !== undefined || (length !== undefined && length !== '0')
}

const GONE = ['ECONNRESET', 'EPIPE', 'ERR_STREAM_PREMATURE_CLOSE']

/** Whether the client hung up before it had the whole reply, which is no error of the service. */
export function isGone(error: unknown): boolean {
  return error instanceof Error && 'code' in error && GONE.includes(String(error.code))
}
