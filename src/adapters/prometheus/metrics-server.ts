import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Exposition } from './prometheus-metrics.js'

/** A socket that answers whoever scrapes. */
export type BoundMetricsServer = {
  readonly host: string
  readonly port: number
  /** Ends at once, with every connection. Twice is harmless. */
  close(): Promise<void>
}

/** A scrape is one small request; who takes longer (in milliseconds) is cut off. */
const PATIENCE = 5_000
/** A slow reader of the answer has longer. */
const READER_PATIENCE = 30_000
const HEAD_MAX = 8 * 1024

const ALLOWED = ['GET', 'HEAD']
const HEADERS = { 'X-Content-Type-Options': 'nosniff', 'Cache-Control': 'no-store', Connection: 'close' }

/**
 * Listens for itself, and answers `GET /metrics` and nothing else. Port 0 takes one that is free. Rejects with
 * Node's own error where the address cannot be had.
 */
export async function bindMetricsServer(
  host: string,
  port: number,
  exposition: Exposition,
): Promise<BoundMetricsServer> {
  const limits = {
    requestTimeout: PATIENCE,
    headersTimeout: PATIENCE,
    connectionsCheckingInterval: 1000,
    maxHeaderSize: HEAD_MAX,
    requireHostHeader: false,
  }
  const server = createServer(limits, (request, response) => void answer(request, response, exposition))
  server.timeout = READER_PATIENCE
  await once(server.listen(port, host), 'listening')
  const { port: bound } = server.address() as AddressInfo
  let closed: Promise<void> | undefined
  return { host, port: bound, close: () => (closed ??= close(server)) }
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
