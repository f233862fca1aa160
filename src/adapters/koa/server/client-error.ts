import { STATUS_CODES, type ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import type { RequestObservers } from '../../../http/parts.js'
import { tellBroken } from '../../../http/request-log.js'
import { failureBody, httpFailure } from '../../../http/reply/failure.js'
import { TOO_LATE, type ErrorStatus } from '../../../http/reply/http-error.js'
import { bareHeaders } from '../../../http/reply/reply-headers.js'
import { destroyLate } from '../../node/unread-body.js'

type ClientError = { readonly status: ErrorStatus; readonly message: string }

const ERRORS: Readonly<Record<string, ClientError>> = {
  HPE_HEADER_OVERFLOW: { status: 431, message: 'The request headers are too large.' },
  ERR_HTTP_REQUEST_TIMEOUT: { status: 408, message: TOO_LATE },
}
const MALFORMED: ClientError = { status: 400, message: 'The request is not valid HTTP.' }

/** What is known of a request that did not arrive whole. */
type Breakage = {
  readonly error: NodeJS.ErrnoException
  readonly socket: Duplex
  /** Where its head had arrived: the one that its handler will now never finish. */
  readonly response: ServerResponse | undefined
  readonly observers: RequestObservers | undefined
}

/**
 * Answers a request that did not arrive whole: the parser gave up, or its time ran out. Without
 * its head no path is known, so the body is the plain Error of the pet routes, and no handler will
 * tell of the request.
 */
export function answerBrokenRequest({ error, socket, response, observers }: Breakage): void {
  // The parser fails again with every further byte of a connection that has its answer already.
  if (socket.writableEnded) return
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  if (response?.headersSent === true) {
    leaveAfter(response, socket)
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
  if (observers) tellBroken(observers, { requestId, status: problem.status })
}

function bodyHeaders(body: string): Readonly<Record<string, string>> {
  return {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': String(Buffer.byteLength(body)),
    Connection: 'close',
  }
}

/** Keeps the headers that the handler has set, such as the request id and those of CORS; one may set them last of all. */
function answerThrough(response: ServerResponse, { status }: ClientError, body: string): void {
  if (!response.hasHeader('X-Request-Id')) response.setHeaders(new Map(Object.entries(bareHeaders(''))))
  // Its handler does not know, and may write what it has to say: an error that no one listened for would end the process.
  response.on('error', () => undefined)
  response.writeHead(status, bodyHeaders(body))
  response.end(body)
}

/** Gives the id that the answer has. */
function answerBare(socket: Duplex, { status }: ClientError, body: string): string {
  const headers = bareHeaders('')
  const head = Object.entries({ ...headers, ...bodyHeaders(body) })
    .map(([name, value]) => `${name}: ${value}`)
    .join('\r\n')
  socket.end(`HTTP/1.1 ${String(status)} ${STATUS_CODES[status] ?? ''}\r\n${head}\r\n\r\n${body}`)
  destroyLate(socket)
  return headers['X-Request-Id']
}

/** The answer was begun before it showed that its request is broken: it stays the last one, and can still be read. */
function leaveAfter(response: ServerResponse, socket: Duplex): void {
  const leave = () => {
    socket.end()
    destroyLate(socket)
  }
  if (response.writableFinished) leave()
  else response.once('finish', leave)
}
