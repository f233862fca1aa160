import type { ImportAtStart } from '../application/accounts/import-users.js'
import { startBackground, type Background } from '../composition-root/background.js'
import { systemClock } from '../adapters/system/index.js'
import type { Settings } from '../configuration/derived.js'
import { passphraseOf } from '../configuration/development-passphrase.js'
import type { Log } from '../ports/log.js'
import type { PartialStore } from '../ports/store.js'
import { composeRequestHandler } from './request-handler.js'
import { warnOfNoAudit } from '../composition-root/infrastructure.js'
import { drain, listen, startMetering, type Listening, type Metering } from './listening.js'
import { openMail } from '../composition-root/open-parts.js'
import { openServiceStore, type ProcessParts } from './process-parts.js'
import { PASSPHRASES } from './read-configuration.js'
import { importAtStart } from './start-import.js'

/** A service that answers. */
export type Service = {
  /** Origin of the socket, such as `http://127.0.0.1:3000`. */
  readonly address: string
  /** Drains, ends what runs in the background and closes the store. Twice is harmless. */
  stop(): Promise<void>
}

export type StartOptions = {
  /** Brings in the first accounts. */
  readonly importing?: ImportAtStart
  /** Whether a database file that does not exist is made; `true`. */
  readonly create?: boolean
}

/**
 * Starts the service in this one process, and what serves its metrics. Rejects where that is impossible, with nothing
 * left open.
 */
export async function startService(
  settings: Settings,
  log: Log,
  options: StartOptions = {},
): Promise<Service> {
  const metering = await startMetering(settings, log)
  try {
    return await startMetered(settings, metering, { log, ...options })
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
  settings: Settings,
  metering: Metering | undefined,
  { log, importing, create = true }: StartOptions & { readonly log: Log },
): Promise<Service> {
  const parts = { log, metrics: metering?.metrics, workers: 1 }
  const listening = await listen(settings, parts)
  const publicUrl = settings.publicUrl ?? listening.address
  let store: PartialStore | undefined
  try {
    const passphrase = passphraseOf(settings, log, PASSPHRASES)
    const mail = await openMail(settings, publicUrl, systemClock)
    store = await openServiceStore(settings, parts, create)
    const opened = { ...listening, publicUrl, passphrase, mail, store, metering, importing }
    return await serve(settings, opened, parts)
  } catch (error) {
    await listening.server.drain(0)
    await store?.close()
    throw error
  }
}

type Opened = Listening & {
  readonly publicUrl: string
  readonly passphrase: string
  readonly mail: Awaited<ReturnType<typeof openMail>>
  readonly store: PartialStore
  readonly metering: Metering | undefined
  readonly importing: ImportAtStart | undefined
}

async function serve(settings: Settings, opened: Opened, parts: ProcessParts): Promise<Service> {
  const { server, address, store, importing } = opened
  const { log } = parts
  warnOfNoAudit(settings, store, log)
  let stopping: Promise<void> | undefined
  const given = {
    ...opened,
    onMailQueued: () => background.wakeMailing(),
    isStopping: () => stopping !== undefined,
  }
  const { useCases, mails, handle } = await composeRequestHandler(settings, given, parts)
  await importAtStart(settings, { useCases, log, importing })
  server.serve(handle)
  const background = startBackground({ ...useCases, mails, clock: systemClock, log })
  log.info('ready', { address })
  return {
    address,
    stop: () => (stopping ??= stop(opened, { background, log, grace: settings.shutdownGrace })),
  }
}

async function stop(
  { server, store, metering }: Opened,
  { background, log, grace }: { readonly background: Background; readonly log: Log; readonly grace: number },
): Promise<void> {
  log.info('stopping')
  await drain(server, grace, log)
  await background.end()
  await store.close()
  await metering?.close()
  log.info('stopped')
}
