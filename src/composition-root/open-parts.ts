import type { MongoOptions } from '../adapters/mongodb/options.js'
import type { MailParts } from '../application/infrastructure.js'
import { meterStore } from '../application/metering/meter-store.js'
import { ConfigurationError } from '../configuration/configuration-error.js'
import type { Configuration } from '../configuration/configuration.js'
import { about, plainly } from '../configuration/sentence.js'
import type { SettingName } from '../configuration/settings.js'
import type { DatabaseChoice, StoreModule } from '../configuration/storage.js'
import { localOrigin } from '../configuration/web.js'
import type { Clock } from '../ports/clock.js'
import type { Log } from '../ports/log.js'
import type { Metrics } from '../ports/metrics.js'
import type { PartialStore, StorePart } from '../ports/store.js'

/** For a store on another machine, which may come up later than the service, and for one whose answers are watched. */
export type OpeningStore = Pick<MongoOptions, 'startTimeout' | 'onWait'> & { readonly log: Log }

/** Opens the store that was chosen; its driver is loaded only now. */
export async function openStore(
  database: DatabaseChoice | StoreModule,
  { log, ...waiting }: OpeningStore,
): Promise<PartialStore> {
  switch (database.kind) {
    case 'sqlite': {
      const { openSqlite } = await import('../adapters/sqlite/store.js')
      return await openSqlite(database.path)
    }
    case 'mongodb': {
      const { openMongo } = await import('../adapters/mongodb/index.js')
      return await openMongo(database.url, waiting)
    }
    case 'memory': {
      const { createMemoryStore } = await import('../adapters/memory/store.js')
      return createMemoryStore()
    }
    case 'module': {
      const { openStoreModule } = await import('./own-store/store-module.js')
      return await openStoreModule(database, log)
    }
  }
}

/** How mails of a service leave, as the configuration says; undefined where none can. Throws a `ConfigurationError`. */
export async function openMail(
  { mail, identity }: Configuration,
  publicUrl: string,
  clock: Clock,
): Promise<Omit<MailParts, 'audit'> | undefined> {
  const { delivery, from, templates: folder } = mail
  const { loadMailTemplates } = await import('../adapters/mustache/mail-templates.js')
  const loaded = loadMailTemplates(folder)
  if (!loaded.ok)
    throw new ConfigurationError(loaded.errors.map((error) => about('mailTemplates', `: ${error}`)))
  if (!delivery) return undefined
  const { createOutboxMailer, createSmtpMailer } = await import('../adapters/nodemailer/index.js')
  const mailer =
    delivery.kind === 'smtp'
      ? createSmtpMailer({ url: delivery.url, from })
      : createOutboxMailer({ folder: delivery.folder, from, clock })
  const { resetTokenTtl, resetUrl = `${publicUrl}/reset-password` } = identity
  return { mailer, templates: loaded.templates, resetTokenTtl, resetUrl }
}

/** Metrics that can be scraped. */
export type Metering = {
  readonly metrics: Metrics
  /** Ends at once. */
  close(): Promise<void>
}

/**
 * Serves metrics on a port of their own, and says where; `undefined` where no port is set for them, and
 * then nothing of it is even loaded. Rejects with a `ConfigurationError` where the port cannot be had.
 */
export async function startMetering(
  { metrics: wanted }: Configuration,
  log: Log,
): Promise<Metering | undefined> {
  if (!wanted) return undefined
  const { bindMetricsServer, createPrometheusMetrics } = await import('../adapters/prometheus/index.js')
  const { metrics, exposition } = createPrometheusMetrics()
  try {
    const server = await bindMetricsServer(wanted.host, wanted.port, exposition)
    log.info('metrics', { address: localOrigin(server.host, server.port) })
    return { metrics, close: () => server.close() }
  } catch (error) {
    throw listeningError(error, { host: 'metricsHost', port: 'metricsPort' }) ?? error
  }
}

/** The store itself where nothing is counted. */
export function meteredStore<Given extends StorePart>(store: Given, metrics: Metrics | undefined): Given {
  return metrics ? meterStore(store, metrics, () => performance.now()) : store
}

const HAS_NO_SUCH_ADDRESS: readonly unknown[] = ['EADDRNOTAVAIL', 'ENOTFOUND']

/** Why an address cannot be listened at, by the settings that name it; `undefined` for any other error. */
export function listeningError(
  error: unknown,
  { host, port }: { readonly host: SettingName; readonly port: SettingName },
): ConfigurationError | undefined {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  const both = (what: string) =>
    new ConfigurationError([plainly((nameOf) => `${nameOf(host)} and ${nameOf(port)}: ${what}`)])
  if (code === 'EADDRINUSE') return both('this address is in use by another process')
  if (code === 'EACCES') return both('no permission to listen at this address')
  return HAS_NO_SUCH_ADDRESS.includes(code)
    ? new ConfigurationError([about(host, ': this machine does not have that address')])
    : undefined
}
