import { STATUS_CODES, type ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import type { RequestObservers } from '../../../http/parts.js'
import { reportBrokenRequest } from '../../../http/request-log.js'
import { failureBody, httpFailure, TOO_LATE, type ErrorStatus } from '../../../http/reply/failure.js'
import { bareHeaders } from '../../../http/reply/reply-headers.js'
import { destroyLate } from '../../node/connection.js'

type ClientError = { readonly status: ErrorStatus; readonly message: string }

const ERRORS: Readonly<Record<string, ClientError>> = {
  HPE_HEADER_OVERFLOW: { status: 431, message: 'The request headers are too large.' },
  ERR_HTTP_REQUEST_TIMEOUT: { status: 408, message: TOO_LATE },
}
const MALFORMED: ClientError = { status: 400, message: 'The request is not valid HTTP.' }

type BrokenRequest = {
  readonly error: NodeJS.ErrnoException
  readonly socket: Duplex
  /** The response object if the request headers arrived; the request's handler will never finish this response. */
  readonly response: ServerResponse | undefined
  readonly observers: RequestObservers | undefined
}

/**
 * Replies to a request that is malformed or that arrived too late. If the request headers did not arrive, the path is unknown: the body
 * then has the pet routes' plain `Error` format, and this function logs the request because no handler does.
 */
export function answerBrokenRequest({ error, socket, response, observers }: BrokenRequest): void {
  // After the reply, the parser emits another error for each further byte.
  if (socket.writableEnded) return
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  if (response?.headersSent === true) {
    closeAfterReply(response, socket)
    return
  }
  const problem = ERRORS[error.code ?? ''] ?? MALFORMED
  const path = response?.req.url ?? ''
  const body = JSON.stringify(failureBody(httpFailure(problem.status, problem.message), path))
  if (response) {
    answerThrough(response, problem, body)
    return
  }
  const requestId = answerBare(socket, problem, body)
  if (observers) reportBrokenRequest(observers, { requestId, status: problem.status })
}

function bodyHeaders(body: string): Readonly<Record<string, string>> {
  return {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': String(Buffer.byteLength(body)),
    Connection: 'close',
  }
}

/** Keeps the headers that the handler has set, such as request ID and CORS headers. */
function answerThrough(response: ServerResponse, { status }: ClientError, body: string): void {
  if (!response.hasHeader('X-Request-Id')) response.setHeaders(new Map(Object.entries(bareHeaders(''))))
  // The handler may still try to write its reply. A write after the end of the reply causes an error, which would end the process if
  // unhandled.
  response.on('error', () => undefined)
  response.writeHead(status, bodyHeaders(body))
  response.end(body)
}

/** Writes a reply without a `ServerResponse` object and returns the request ID of the reply. */
function answerBare(socket: Duplex, { status }: ClientError, body: string): string {
  const headers = bareHeaders('')
  const head = Object.entries({ ...headers, ...bodyHeaders(body) })
    .map(([name, value]) => `${name}: ${value}`)
    .join('\r\n')
  socket.end(`HTTP/1.1 ${String(status)} ${STATUS_CODES[status] ?? ''}\r\n${head}\r\n\r\n${body}`)
  destroyLate(socket)
  return headers['X-Request-Id']
}

/** Closes the connection after the reply that had already begun when the request error occurred. */
function closeAfterReply(response: ServerResponse, socket: Duplex): void {
  const close = () => {
    socket.end()
    destroyLate(socket)
  }
  if (response.writableFinished) close()
  else response.once('finish', close)
}
