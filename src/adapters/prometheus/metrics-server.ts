import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Exposition } from './prometheus-metrics.js'

/** A socket that answers scrapes. */
export type BoundMetricsServer = {
  readonly host: string
  readonly port: number
  /** Ends at once, with every connection. Twice is harmless. */
  close(): Promise<void>
}

/** A scrape is one small request; who takes longer (in milliseconds) is cut off. */
const REQUEST_TIMEOUT = 5_000
/** A slow reader of the answer has longer. */
const REPLY_TIMEOUT = 30_000
const HEAD_MAX = 8 * 1024

const MISDIRECTED = 'Only localhost, 127.0.0.1 and [::1] are answered here; METRICS_HOST listens elsewhere.\n'
const ALLOWED = ['GET', 'HEAD']
const HEADERS = { 'X-Content-Type-Options': 'nosniff', 'Cache-Control': 'no-store', Connection: 'close' }

/**
 * Listens for itself, and answers `GET /metrics` and nothing else; at a loopback address only where a loopback name
 * was called, else 421. Port 0 takes one that is free. Rejects with Node's own error where the address cannot be had.
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
  await once(server.listen(port, host), 'listening')
  const { address, port: bound } = server.address() as AddressInfo
  isLocal = isLoopback(address)
  let closed: Promise<void> | undefined
  return { host, port: bound, close: () => (closed ??= close(server)) }
}

/**
 * Whether a request was meant for this machine. The page of any site may let its own name point to a loopback address
 * (DNS rebinding), and then read what answers there; only its `Host` gives it away, which a browser always sends.
 */
function isForLoopback({ headers: { host } }: IncomingMessage): boolean {
  if (host === undefined) return true
  const url = `http://${host}`
  return URL.canParse(url) && isLoopback(new URL(url).hostname.replace(/^\[|\]$/g, ''))
}

/** `localhost`, 127.0.0.0/8 and ::1. */
function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^(?:::ffff:)?127\.\d+\.\d+\.\d+$/.test(host)
}

/** No body is read, so every connection is good for one request. */
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
    server.close(() => {
      resolve()
    })
    server.closeAllConnections()
  })
}
