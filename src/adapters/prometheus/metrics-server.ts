import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Exposition } from './prometheus-metrics.js'

/** A metrics server that listens and replies to scrapes. */
export type BoundMetricsServer = {
  readonly host: string
  readonly port: number
  /** Closes the server and all its connections immediately. Calling `close` again has no effect. */
  close(): Promise<void>
}

/** Timeout for a request in milliseconds. */
const REQUEST_TIMEOUT = 5_000
/** Timeout for a reply in milliseconds. */
const REPLY_TIMEOUT = 30_000
const HEAD_MAX = 8 * 1024

const MISDIRECTED =
  'Only localhost, 127.0.0.1 and [::1] are allowed hosts; set METRICS_HOST to add another.\n'
const ALLOWED = ['GET', 'HEAD']
const HEADERS = { 'X-Content-Type-Options': 'nosniff', 'Cache-Control': 'no-store', Connection: 'close' }

/**
 * Listens on a separate socket and serves only `GET /metrics`; on a loopback address, requests whose `Host` header is not a loopback host
 * get 421. Port 0 selects a free port. Rejects with Node's error if the address is not available.
 */
export async function bindMetricsServer(
  host: string,
  port: number,
  exposition: Exposition,
): Promise<BoundMetricsServer> {
  const limits = {
    requestTimeout: REQUEST_TIMEOUT,
    headersTimeout: REQUEST_TIMEOUT,
    connectionsCheckingInterval: 1000,
    maxHeaderSize: HEAD_MAX,
    requireHostHeader: false,
  }
  let isLocal = true
  const server = createServer(limits, (request, response) => {
    if (isLocal && !isForLoopback(request)) send(response, 421, {}, MISDIRECTED)
    else void answer(request, response, exposition)
  })
  server.timeout = REPLY_TIMEOUT
  // `httpAllowHalfOpen`, which Node's types lack, lets a client close its sending side before it has received the
  // reply.
  Object.assign(server, { httpAllowHalfOpen: true })
  await once(server.listen(port, host), 'listening')
  const { address, port: bound } = server.address() as AddressInfo
  isLocal = isLoopback(address)
  let closed: Promise<void> | undefined
  return { host, port: bound, close: () => (closed ??= close(server)) }
}

/** Any website can point its host name to a loopback address (DNS rebinding); only the `Host` header reveals this. */
function isForLoopback({ headers: { host } }: IncomingMessage): boolean {
  if (host === undefined) return true
  const url = `http://${host}`
  return URL.canParse(url) && isLoopback(new URL(url).hostname.replace(/^\[|\]$/g, ''))
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^(?:::ffff:)?127\.\d+\.\d+\.\d+$/.test(host)
}

/** The server reads no request body, so each connection serves only one request. */
async function answer(
  { method = '', url = '' }: IncomingMessage,
  response: ServerResponse,
  exposition: Exposition,
): Promise<void> {
  const isThere = url.split('?', 1)[0] === '/metrics'
  if (!isThere) send(response, 404, {}, 'Not Found\n')
  else if (!ALLOWED.includes(method)) send(response, 405, { Allow: ALLOWED.join(', ') }, 'Not Allowed\n')
  else await expose(response, exposition)
}

async function expose(response: ServerResponse, exposition: Exposition): Promise<void> {
  try {
    const { contentType, text } = await exposition()
    send(response, 200, { 'Content-Type': contentType }, text)
  } catch {
    send(response, 500, {}, '')
  }
}

function send(
  response: ServerResponse,
  status: number,
  headers: Readonly<Record<string, string>>,
  text: string,
): void {
  const plain = { 'Content-Type': 'text/plain; charset=utf-8', 'Content-Length': Buffer.byteLength(text) }
  response.writeHead(status, { ...HEADERS, ...plain, ...headers })
  response.end(text)
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve())
    server.closeAllConnections()
  })
}
