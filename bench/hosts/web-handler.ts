import { createServer } from 'node:http'
import { createListener } from '../../src/adapters/node/index.js'
import { createLog } from '../../src/adapters/pino/index.js'
import { createPrometheusMetrics } from '../../src/adapters/prometheus/index.js'
import { createHandler, type Handler } from '../../src/adapters/web/index.js'
import { openKennel } from '../../src/index.js'
import { readJob } from '../workplace/processes.js'

export type WebHandlerJob = {
  readonly store: string
  readonly passphrase: string
  readonly publicUrl: string
  readonly port: number
}

/** The used part of Bun. */
type Bun = {
  serve(options: {
    readonly hostname: string
    readonly port: number
    readonly fetch: (request: Request, server: BunServer) => Promise<Response>
  }): unknown
}
type BunServer = { requestIP(request: Request): { readonly address: string } | null }

/** The web handler with log and metrics on the server of the runtime: Node's own server, or `Bun.serve`. */
const HOSTNAME = '127.0.0.1'
const { port, ...options } = await readJob<WebHandlerJob>()
const log = createLog({ level: 'info', pretty: false })
const { metrics } = createPrometheusMetrics()
const kennel = await openKennel({ ...options, parts: { log, metrics } })
serve(createHandler(kennel, { metrics }))
process.once('SIGTERM', () => process.exit())

function serve(handler: Handler): void {
  const { Bun: bun } = globalThis as { readonly Bun?: Bun }
  if (!bun) createServer(createListener(handler)).listen(port, HOSTNAME)
  else {
    const fetch = (request: Request, server: BunServer) => handler(request, server.requestIP(request))
    bun.serve({ hostname: HOSTNAME, port, fetch })
  }
}
