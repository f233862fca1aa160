import { STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import { bareHeaders } from './reply-headers.js'

const FAULTS: Readonly<Record<string, { status: number; message: string }>> = {
  HPE_HEADER_OVERFLOW: { status: 431, message: 'The request headers are too large.' },
  ERR_HTTP_REQUEST_TIMEOUT: { status: 408, message: 'The request took too long to arrive.' },
}
const MALFORMED = { status: 400, message: 'The request is not valid HTTP.' }

/**
 * Answers a request that never became one: the parser gave up, or its time ran out. No path is
 * known then, so the body is the plain Error of the pet routes.
 */
export function answerBrokenRequest(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  const { status, message } = FAULTS[error.code ?? ''] ?? MALFORMED
  const body = JSON.stringify({ code: status, message })
  const headers = {
    ...bareHeaders(''),
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': String(Buffer.byteLength(body)),
    Connection: 'close',
  }
  const head = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  socket.end(
    `HTTP/1.1 ${String(status)} ${STATUS_CODES[status] ?? ''}\r\n${head.join('\r\n')}\r\n\r\n${body}`,
  )
}
