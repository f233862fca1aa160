import type { Importing } from '../adapters/oclif/command-context.js'
import { bindServer, createHttpService, type BoundServer } from '../adapters/koa/index.js'
import { startBackground, type Background } from '../adapters/system/background.js'
import { systemClock } from '../adapters/system/index.js'
import { unavailable } from '../domain/refusal.js'
import type { Log } from '../ports/log.js'
import type { PartialStore } from '../ports/store.js'
import type { Configuration } from '../configuration/configuration.js'
import { composeService } from './container.js'
import { configuredCredentials } from './credentials.js'
import { passphraseOf } from '../configuration/development-passphrase.js'
import { localOrigin } from '../configuration/web.js'
import { infrastructureOf, modeOf, warnOfNoAudit } from './infrastructure.js'
import { httpSettings } from './http-settings.js'
import { startMetering, type Metering } from './listening.js'
import { meteredStore, openMail, openStore } from './open-parts.js'
import { PASSPHRASES } from './setup.js'
import { importAtStart } from './start-import.js'

/** A service that answers. */
export type Service = {
  /** Origin of the socket, such as `http://127.0.0.1:3000`. */
  readonly address: string
  /** Drains, ends what runs in the background and closes the store. Twice is harmless. */
  stop(): Promise<void>
}

/** How long a start waits for a store that cannot be reached, in milliseconds. */
const START_TIMEOUT = 30_000

export type StartOptions = {
  /** Brings in the first accounts. */
  readonly importing?: Importing
}

/** Starts the service, and what serves its metrics. Rejects where that is impossible, with nothing left open. */
export async function startService(
  configuration: Configuration,
  log: Log,
  options: StartOptions = {},
): Promise<Service> {
  const metering = await startMetering(configuration, log)
  try {
    return await startMetered(configuration, metering, { log, ...options })
  } catch (error) {
    await metering?.close()
    throw error
  }
}

/**
 * The socket first, because the origin in tokens and links may depend on the port, then the store, then
 * everything that hangs on both.
 */
async function startMetered(
  configuration: Configuration,
  metering: Metering | undefined,
  { log, importing }: StartOptions & { readonly log: Log },
): Promise<Service> {
  const metrics = metering?.metrics
  const { host, port, ...limits } = configuration.http
  const server = await bindServer(host, port, { ...limits, observers: { log, metrics } })
  const address = localOrigin(server.host, server.port)
  const publicUrl = configuration.http.publicUrl ?? address
  let store: PartialStore | undefined
  try {
    const passphrase = passphraseOf(configuration, log, PASSPHRASES)
    const mail = await openMail(configuration, publicUrl, systemClock)
    const opened = await openStore(configuration.database, {
      log,
      startTimeout: START_TIMEOUT,
      onWait: (detail) => log.warn('waiting for the store', { detail }),
    })
    store = meteredStore(opened, metrics)
    return await serve(configuration, {
      server,
      address,
      publicUrl,
      passphrase,
      mail,
      store,
      metering,
      log,
      importing,
    })
  } catch (error) {
    await server.drain(0)
    await store?.close()
    throw error
  }
}

type Opened = {
  readonly server: BoundServer
  readonly address: string
  readonly publicUrl: string
  readonly passphrase: string
  readonly mail: Awaited<ReturnType<typeof openMail>>
  readonly store: PartialStore
  readonly metering: Metering | undefined
  readonly log: Log
  readonly importing: Importing | undefined
}

async function serve(configuration: Configuration, opened: Opened): Promise<Service> {
  const { server, address, publicUrl, store, mail, metering, log } = opened
  warnOfNoAudit(configuration, store, log)
  const credentials = await configuredCredentials(configuration, opened)
  const { useCases, mails } = composeService(
    {
      ...infrastructureOf(configuration, { store, log, metrics: metering?.metrics }),
      auditBatched: true,
      onMailQueued: () => background.wakeMailing(),
      ...credentials,
    },
    modeOf(configuration),
    mail,
  )
  await importAtStart(configuration, { useCases, ...opened })
  let stopping: Promise<void> | undefined
  const readiness = () => (stopping ? Promise.reject(unavailable('stopping')) : store.ready())
  const settings = httpSettings(configuration, publicUrl, credentials.publicKeys)
  const answer = createHttpService({
    useCases,
    settings,
    readiness,
    log,
    ...(metering && { metrics: metering.metrics }),
  }).callback()
  server.serve((request, response) => void answer(request, response))
  const background = startBackground({ ...useCases, mails, clock: systemClock, log })
  log.info('ready', { address })
  return {
    address,
    stop: () => (stopping ??= stop(opened, background, configuration.http.shutdownGrace)),
  }
}

async function stop(
  { server, store, metering, log }: Opened,
  background: Background,
  grace: number,
): Promise<void> {
  log.info('stopping')
  const inTime = await server.drain(grace)
  if (!inTime) log.warn('stopped before every request was answered: SHUTDOWN_GRACE was too short')
  await background.end()
  await store.close()
  await metering?.close()
  log.info('stopped')
}
