import { createLog } from '../../src/adapters/pino/index.js'
import { createSharedOutput } from '../../src/program/workers/shared-output.js'
import { readConfiguration } from '../../src/program/read-configuration.js'
import { startPrimary } from '../../src/program/serve.js'
import { isWorker } from '../../src/program/workers/protocol.js'
import { runWorker } from '../../src/program/workers/worker.js'

/** Like `app serve` with this number of workers, but always restarts a worker immediately. */
if (isWorker()) runWorker()
else {
  const { settings, source } = readConfiguration()
  const output = createSharedOutput({ pretty: false })
  await startPrimary(settings, {
    workers: Number(process.argv[2]),
    source,
    log: createLog({ level: settings.logLevel, pretty: false, destination: output }),
    output,
    pauses: { first: 10, most: 10, longLife: 60_000 },
  })
}
