import { createServer } from 'node:http'
import { createListener } from '../../src/adapters/node/index.js'
import { createLog } from '../../src/adapters/pino/index.js'
import { createPrometheusMetrics } from '../../src/adapters/prometheus/index.js'
import { createHandler } from '../../src/adapters/web/index.js'
import { openKennel } from '../../src/index.js'
import { readJob } from '../workplace/processes.js'

export type WebHandlerJob = {
  readonly store: string
  readonly passphrase: string
  readonly publicUrl: string
  readonly port: number
}

/** The web handler with log and metrics on Node's own server. */
const { port, ...options } = await readJob<WebHandlerJob>()
const log = createLog({ level: 'info', pretty: false })
const { metrics } = createPrometheusMetrics()
const kennel = await openKennel({ ...options, parts: { log, metrics } })
createServer(createListener(createHandler(kennel, { metrics }))).listen(port, '127.0.0.1')
process.once('SIGTERM', () => process.exit())
