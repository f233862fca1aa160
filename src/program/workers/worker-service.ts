import type { BoundServer } from '../../adapters/koa/index.js'
import { createLog } from '../../adapters/pino/index.js'
import { droppedLines } from '../../adapters/pino/dropped-lines.js'
import type { CollectedMetrics } from '../../adapters/prometheus/prometheus-metrics.js'
import { startBackground, type Background } from '../../composition-root/background.js'
import { systemClock } from '../../adapters/system/index.js'
import { settingsFrom } from '../../configuration/from-environment.js'
import type { PartialStore } from '../../ports/store.js'
import { composeRequestHandler, type RequestHandler } from '../request-handler.js'
import { drain, listen, openServiceStore } from '../process-parts.js'
import { ADAPTER_RULES } from '../../composition-root/adapter-rules.js'
import { createAuditRelay } from './shared-output.js'
import type { Start, ToPrimary, ToWorker } from './protocol.js'

type SendToPrimary = (message: ToPrimary) => void
type Open = Extract<ToWorker, { kind: 'open' }>

export type WorkerService = {
  /** Carries out a command from the primary. If this call rejects, the worker must exit. */
  handle(message: Command): Promise<void>
}

export type Command = Exclude<ToWorker, { kind: 'ping' }>

type Handlers = {
  [Kind in Command['kind']]: (message: Extract<Command, { kind: Kind }>) => Promise<void> | void
}

type RunningParts = {
  readonly store: PartialStore
  readonly handler: RequestHandler
  readonly background: Background
}

/** Uses the configuration that the primary sends, so it reads no files. */
export async function createWorkerService(start: Start, tell: SendToPrimary): Promise<WorkerService> {
  const settings = settingsFrom(start.source, ADAPTER_RULES)
  const keeper = createAuditRelay(tell)
  const log = createLog({ level: start.logLevel, pretty: false, worker: start.worker, keeper })
  const collected = settings.metricsPort === undefined ? undefined : await collectedMetrics()
  const parts = { log, metrics: collected?.metrics, workers: start.workers }
  let server: BoundServer | undefined
  let opened: RunningParts | undefined
  let isServing = false
  let stopping: Promise<void> | undefined

  function serveWhenReady(): void {
    if (isServing && opened) server?.serve(opened.handler.handle)
  }

  async function open({ publicUrl, passphrase }: Open): Promise<RunningParts> {
    // The primary opened this file earlier, so if it is missing now, it must not be replaced by an empty file.
    const store = await openServiceStore(settings, parts, { create: false, isPrimary: false })
    const infrastructure = {
      ...{ store, publicUrl, passphrase, mail: undefined },
      onMailQueued: () => tell({ kind: 'mail-queued' }),
      isStopping: () => stopping !== undefined,
    }
    const handler = await composeRequestHandler(settings, infrastructure, parts)
    const { audit } = handler.useCases
    return { store, handler, background: startBackground({ audit, clock: systemClock, log }) }
  }

  async function stop(): Promise<void> {
    if (server) await drain(server, settings.shutdownGrace, log)
    await opened?.background.end()
    await opened?.store.close()
  }

  const handlers: Handlers = {
    start: () => undefined,
    listen: async ({ port }) => {
      const bound = await listen({ ...settings, port }, parts)
      server = bound.server
      serveWhenReady()
      tell({ kind: 'listening', host: server.host, port: server.port })
    },
    open: async (terms) => {
      opened = await open(terms)
      serveWhenReady()
      tell({ kind: 'opened' })
    },
    serve: () => {
      isServing = true
      serveWhenReady()
    },
    'log-level': ({ logLevel }) => log.followLevel(logLevel),
    audited: keeper.hear,
    metrics: async ({ request, ofProcess }) => {
      if (collected) tell({ kind: 'metrics', request, numbers: await collected.collect({ ofProcess }) })
    },
    stop: () => (stopping ??= stop()),
  }
  return { handle: async (message) => await handlers[message.kind](message as never) }
}

async function collectedMetrics(): Promise<CollectedMetrics> {
  const { createCollectedMetrics } = await import('../../adapters/prometheus/prometheus-metrics.js')
  return createCollectedMetrics({ droppedLines })
}
