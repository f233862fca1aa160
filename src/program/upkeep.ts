import type { ImportAtStart } from '../application/accounts/import-users.js'
import { startBackground, type Background } from '../composition-root/background.js'
import { systemClock } from '../adapters/system/index.js'
import type { Settings } from '../configuration/derived.js'
import { passphraseOf } from '../configuration/development-passphrase.js'
import type { PartialStore } from '../ports/store.js'
import { composeUpkeep } from '../composition-root/container.js'
import { infrastructureOf, warnOfNoAudit } from '../composition-root/infrastructure.js'
import { openMail } from '../composition-root/open-parts.js'
import { openServiceStore, type ProcessParts } from './process-parts.js'
import { PASSPHRASES } from './read-configuration.js'
import { importAtStart } from './start-import.js'

/** What the service needs once, however many processes answer its requests. */
export type Upkeep = {
  readonly passphrase: string
  /** Purges and sends mails from now on. */
  startBackground(): Background
  close(): Promise<void>
}

type UpkeepOptions = {
  readonly publicUrl: string
  readonly importing: ImportAtStart | undefined
  /** Whether a database file that does not exist is made. */
  readonly create: boolean
}

/**
 * Opens the store first of all, so that its schema is brought up to date by one process, and brings in the accounts that
 * the service starts with.
 */
export async function openUpkeep(
  settings: Settings,
  { publicUrl, importing, create }: UpkeepOptions,
  parts: ProcessParts,
): Promise<Upkeep> {
  const { log } = parts
  const passphrase = passphraseOf(settings, log, PASSPHRASES)
  const mail = await openMail(settings, publicUrl, systemClock)
  const store = await openServiceStore(settings, parts, create)
  try {
    warnOfNoAudit(settings, store, log)
    const { useCases, mails } = upkeepOf(settings, store, { mail, parts })
    await importAtStart(settings, { useCases, log, importing })
    return {
      passphrase,
      startBackground: () => startBackground({ ...useCases, mails, clock: systemClock, log }),
      close: () => store.close(),
    }
  } catch (error) {
    await store.close()
    throw error
  }
}

function upkeepOf(
  settings: Settings,
  store: PartialStore,
  { mail, parts }: { mail: Awaited<ReturnType<typeof openMail>>; parts: ProcessParts },
) {
  const { copyableRecords } = store
  const given = { ...infrastructureOf(settings, { store, ...parts }), auditBatched: true }
  return composeUpkeep({ ...given, ...(copyableRecords && { copyableRecords }) }, mail)
}
