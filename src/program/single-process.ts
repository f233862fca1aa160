import type { BoundServer } from '../adapters/koa/server/server.js'
import type { Settings } from '../configuration/derived.js'
import type { Log } from '../ports/log.js'
import { drain, listen, startMetering } from './process-parts.js'
import { composeRequestHandler } from './request-handler.js'
import { start, type Front, type Service, type StartOptions } from './start.js'

/** Starts the service and its metrics in this process. If the start fails, nothing is left open. */
export async function startService(settings: Settings, log: Log, options: StartOptions): Promise<Service> {
  const metering = await startMetering(settings, log)
  const parts = { log, metrics: metering?.metrics, workers: 1 }
  let bound: BoundServer | undefined
  try {
    const { server, address } = await listen(settings, parts)
    bound = server
    const front: Front = {
      ...{ ...parts, address, metering },
      compose: async (opened) => {
        const { handle, ...service } = await composeRequestHandler(settings, opened, parts)
        const serve = () => server.serve(handle)
        return { ...service, serve }
      },
      drain: () => drain(server, settings.shutdownGrace, log),
      flush: () => Promise.resolve(),
    }
    return await start(settings, front, options)
  } catch (error) {
    await bound?.drain(0)
    await metering?.close()
    throw error
  }
}
