import type { ImportAtStart } from '../application/accounts/import-users.js'
import type { OperatorUseCases } from '../application/wiring.js'
import { systemClock } from '../adapters/system/index.js'
import { startBackground, type Background, type BackgroundParts } from '../composition-root/background.js'
import { warnOfNoAudit } from '../composition-root/infrastructure.js'
import { openMail } from '../composition-root/open-parts.js'
import type { Service as Composed } from '../composition-root/service.js'
import type { Settings } from '../configuration/derived.js'
import { passphraseOf } from '../configuration/development-passphrase.js'
import { OPERATOR } from '../domain/access/caller.js'
import type { Log } from '../ports/log.js'
import type { PartialStore } from '../ports/store.js'
import { type Metering, openServiceStore, type OpenParts, type ProcessParts } from './process-parts.js'
import { PASSPHRASES } from './read-configuration.js'

export type Service = {
  /** The origin of the socket, such as `http://127.0.0.1:3000`. */
  readonly address: string
  /** Completes the running requests, ends the background work and closes the store. Later calls wait for the same shutdown. */
  stop(): Promise<void>
}

export type StartOptions = {
  readonly importing?: ImportAtStart | undefined
  /** Whether a missing database file is created; `true` by default. */
  readonly create?: boolean
}

type ImportUseCases = Pick<OperatorUseCases, 'importUsers'> & Partial<Pick<OperatorUseCases, 'createRole'>>

export type Composition = Composed<ImportUseCases & Pick<BackgroundParts, 'audit' | 'purgeExpired'>> & {
  serve(): Promise<void> | void
}

/** An open socket, and the processes (one or more) that handle its requests. */
export type Front = ProcessParts & {
  readonly address: string
  readonly metering: Metering | undefined
  compose(opened: OpenParts): Promise<Composition>
  /** Completes the running requests. */
  drain(): Promise<void>
  flush(): Promise<void>
}

/**
 * Runs the steps that only one process of the service runs, even if several processes handle requests: opens the store, imports accounts,
 * removes expired records and sends emails. The socket is already open, because the origin in tokens and links may depend on the port. If a
 * step fails, the store is closed.
 */
export async function start(
  settings: Settings,
  front: Front,
  { importing, create = true }: StartOptions,
): Promise<Service> {
  const publicUrl = settings.publicUrl ?? front.address
  const passphrase = passphraseOf(settings, front.log, PASSPHRASES)
  const mail = await openMail(settings, publicUrl, systemClock)
  const store = await openServiceStore(settings, front, { create, isPrimary: true })
  try {
    return await serve(settings, front, { store, publicUrl, passphrase, mail, importing })
  } catch (error) {
    await store.close()
    throw error
  }
}

async function serve(
  settings: Settings,
  front: Front,
  { importing, ...opened }: Omit<OpenParts, 'onMailQueued' | 'isStopping'> & Pick<StartOptions, 'importing'>,
): Promise<Service> {
  const { address, log, workers } = front
  let wakeMailing = (): void => undefined
  let stopping: Promise<void> | undefined
  warnOfNoAudit(settings, opened.store, log)
  const composition = await front.compose({
    ...opened,
    onMailQueued: () => wakeMailing(),
    isStopping: () => stopping !== undefined,
  })
  const { useCases, mails } = composition
  await importAccounts(settings, { useCases, log, importing })
  await composition.serve()
  const background = startBackground({ ...useCases, mails, clock: systemClock, log })
  wakeMailing = () => background.wakeMailing()
  log.info('ready', { address, ...(workers > 1 && { count: workers }) })
  return { address, stop: () => (stopping ??= stop(front, opened.store, background)) }
}

async function stop(front: Front, store: PartialStore, background: Background): Promise<void> {
  front.log.info('stopping')
  await front.drain()
  await background.end()
  await store.close()
  await front.metering?.close()
  await front.flush()
  front.log.info('stopped')
  await front.flush()
}

const NO_ACCOUNT =
  'DATABASE_URL is memory: there are no accounts, and no command can create any; use serve --import FILE'

async function importAccounts(
  { store, permissions }: Settings,
  { useCases, log, importing }: { useCases: ImportUseCases; log: Log; importing: ImportAtStart | undefined },
): Promise<void> {
  const isInMemory = store.kind === 'memory'
  if (!importing) {
    if (isInMemory) log.warn('configuration', { detail: NO_ACCOUNT })
    return
  }
  // No command can create a role in a memory store, so the roles of the permission configuration form the role table.
  if (isInMemory) {
    for (const key of permissions.roles) await useCases.createRole?.({ caller: OPERATOR, key, label: key })
  }
  const { saved, unchanged } = await importing(useCases.importUsers)
  log.info('accounts imported', { count: saved, detail: `unchanged: ${unchanged}` })
}
