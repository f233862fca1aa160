import type { BoundServer } from '../../adapters/koa/index.js'
import { createLog } from '../../adapters/pino/index.js'
import { droppedLines } from '../../adapters/pino/output.js'
import type { CollectedMetrics } from '../../adapters/prometheus/prometheus-metrics.js'
import { startBackground, type Background } from '../../composition-root/background.js'
import { systemClock } from '../../adapters/system/index.js'
import { settingsFrom } from '../../configuration/from-environment.js'
import type { PartialStore } from '../../ports/store.js'
import { composeRequestHandler, type RequestHandler } from '../request-handler.js'
import { drain, listen } from '../listening.js'
import { openServiceStore } from '../process-parts.js'
import { ADAPTER_RULES } from '../../composition-root/adapter-rules.js'
import type { Start, ToPrimary, ToWorker } from './messages.js'

type Tell = (message: ToPrimary) => void
type Open = Extract<ToWorker, { kind: 'open' }>

/** A worker on its way to answer requests. */
export type AnsweringWorker = {
  /** Does what the primary says; resolves when it is done. Where it cannot be done, the worker is of no use. */
  obey(message: Obeyed): Promise<void>
}

/** A ping is answered before. */
export type Obeyed = Exclude<ToWorker, { kind: 'ping' }>

type Steps = {
  [Kind in Obeyed['kind']]: (message: Extract<Obeyed, { kind: Kind }>) => Promise<void> | void
}

/** What is open when a store is. */
type Opened = {
  readonly store: PartialStore
  readonly handler: RequestHandler
  readonly background: Background
}

/** Reads no file: the configuration is the primary's. */
export async function createAnsweringWorker(start: Start, tell: Tell): Promise<AnsweringWorker> {
  const settings = settingsFrom(start.source, ADAPTER_RULES)
  const log = createLog({ level: start.logLevel, pretty: false, worker: start.worker })
  const collected = settings.metricsPort === undefined ? undefined : await collectedMetrics()
  const parts = { log, metrics: collected?.metrics, workers: start.workers }
  let server: BoundServer | undefined
  let opened: Opened | undefined
  let isServing = false
  let stopping: Promise<void> | undefined

  function answerWhenAllIsThere(): void {
    if (isServing && opened) server?.serve(opened.handler.handle)
  }

  async function open({ publicUrl, passphrase }: Open): Promise<Opened> {
    // The primary has opened it before: if the file has gone since, an empty one must not replace it.
    const store = await openServiceStore(settings, parts, false)
    const given = {
      ...{ store, publicUrl, passphrase },
      onMailQueued: () => {
        tell({ kind: 'mail-queued' })
      },
      isStopping: () => stopping !== undefined,
    }
    const handler = await composeRequestHandler(settings, given, parts)
    const { audit } = handler.useCases
    return { store, handler, background: startBackground({ audit, clock: systemClock, log }) }
  }

  async function stop(): Promise<void> {
    if (server) await drain(server, settings.shutdownGrace, log)
    await opened?.background.end()
    await opened?.store.close()
  }

  const steps: Steps = {
    start: () => undefined,
    listen: async ({ port }) => {
      const bound = await listen({ ...settings, port }, parts)
      server = bound.server
      answerWhenAllIsThere()
      tell({ kind: 'listening', host: server.host, port: server.port })
    },
    open: async (terms) => {
      opened = await open(terms)
      answerWhenAllIsThere()
      tell({ kind: 'opened' })
    },
    serve: () => {
      isServing = true
      answerWhenAllIsThere()
    },
    'log-level': ({ logLevel }) => {
      log.followLevel(logLevel)
    },
    metrics: async ({ request, ofProcess }) => {
      if (collected) tell({ kind: 'metrics', request, numbers: await collected.collect({ ofProcess }) })
    },
    stop: () => (stopping ??= stop()),
  }
  return { obey: async (message) => await steps[message.kind](message as never) }
}

/** Loaded only where numbers are wanted. */
async function collectedMetrics(): Promise<CollectedMetrics> {
  const { createCollectedMetrics } = await import('../../adapters/prometheus/prometheus-metrics.js')
  return createCollectedMetrics({ droppedLines })
}
