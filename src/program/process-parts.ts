import type { AuditLinesLog } from '../adapters/pino/audit-lines.js'
import { systemClock } from '../adapters/system/index.js'
import { logCreated, meteredStore, openStore } from '../composition-root/open-parts.js'
import type { Mail } from '../composition-root/service.js'
import type { Settings } from '../configuration/derived.js'
import type { Milliseconds } from '../domain/instant.js'
import type { Metrics } from '../ports/metrics.js'
import type { PartialStore } from '../ports/store.js'

/** The parts of each process of the service, and the number of processes that share the machine and the limits. */
export type ProcessParts = {
  readonly log: AuditLinesLog
  readonly metrics: Metrics | undefined
  /** The number of processes that handle requests. */
  readonly workers: number
}

/** The parts that are available once the store is open. */
export type OpenParts = {
  readonly store: PartialStore
  readonly publicUrl: string
  readonly passphrase: string
  /** Present if this process sends emails. */
  readonly mail: Mail | undefined
  readonly onMailQueued: () => void
  readonly isStopping: () => boolean
}

/** How long the service waits for an unreachable store at startup. */
const START_TIMEOUT: Milliseconds = 30_000

/**
 * Opens the store, and may wait until it is reachable. The primary process upgrades the store, and records that the service uses it. With
 * `create: false`, the database file must already exist.
 */
export async function openServiceStore(
  settings: Settings,
  { log, metrics, workers }: ProcessParts,
  { create, isPrimary }: { readonly create: boolean; readonly isPrimary: boolean },
): Promise<PartialStore> {
  const store = await openStore(settings, {
    log,
    create,
    // If the package's files are replaced while the primary runs, a replacement worker runs the newer release.
    upgrade: isPrimary,
    ...(isPrimary && { serving: { clock: systemClock, log } }),
    onCreated: logCreated(log),
    startTimeout: START_TIMEOUT,
    onWait: (detail) => log.warn('waiting for the store', { detail }),
    workers,
  })
  return meteredStore(store, metrics)
}
