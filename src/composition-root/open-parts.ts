import { resolve } from 'node:path'
import { instancesOf } from '../adapters/upgrades.js'
import { POOL_SIZES, type ServerOptions } from '../adapters/database-server.js'
import type { StorePart } from '../ports/given-store.js'
import { meterStore } from '../application/metering.js'
import type { Settings } from '../configuration/derived.js'
import { pageTexts } from '../configuration/page-texts.js'
import { sentenceAbout, ConfigurationError } from '../configuration/sentence.js'
import { isLoopback } from '../configuration/web.js'
import { NOTICE_KINDS } from '../domain/mail.js'
import type { PageTexts } from '../http/parts.js'
import type { Clock } from '../ports/system.js'
import type { Log } from '../ports/log.js'
import type { Metrics } from '../ports/metrics.js'
import type { PasskeyVerifier } from '../ports/passkeys.js'
import type { PartialStore } from '../ports/store.js'
import { shareOf } from './infrastructure.js'
import type { Mail } from './service.js'
import { systemRandomness } from '../adapters/system/index.js'
import { processName } from '../configuration/environment.js'
import type { Milliseconds } from '../domain/instant.js'
import { isRefusal } from '../domain/refusal.js'

/** `startTimeout` and `onWait` are for a store that may start later than the service. */
export type OpeningStore = Pick<ServerOptions, 'startTimeout' | 'onWait'> & {
  readonly log: Log
  /** The number of processes that share the connections of this instance; 1 by default. */
  readonly workers?: number
  /** Whether a missing database file is created; `true` by default. */
  readonly create?: boolean
  /** Whether a store of an earlier release is upgraded; `true` by default. */
  readonly upgrade?: boolean
  /** Set if this process uses the store for a long time; `upgrade` commands then list the process. */
  readonly serving?: Serving
  /** Called with the location of a store that was empty or missing. */
  readonly onCreated: (place: string) => void
}

type StoreSettings = Pick<Settings, 'store' | 'databaseSchema'>

export async function openStore(
  settings: StoreSettings,
  { serving, ...opening }: OpeningStore,
): Promise<PartialStore> {
  const store = await openConfigured(settings, opening)
  if (!serving) return store
  try {
    const end = await recordServing(store, serving)
    return { ...store, close: () => end().then(() => store.close()) }
  } catch (error) {
    await store.close()
    throw error
  }
}

async function openConfigured(
  { store: database, databaseSchema: schema }: StoreSettings,
  { log, create = true, upgrade = true, onCreated, workers = 1, ...waiting }: Omit<OpeningStore, 'serving'>,
): Promise<PartialStore> {
  switch (database.kind) {
    case 'sqlite': {
      const { openSqlite } = await import('../adapters/sqlite/store.js')
      const onAttemptsRecreated = () =>
        log.warn('attempts file recreated', { detail: 'it was damaged: all attempt counts start again at 0' })
      const made = { create, upgrade, onCreated: () => onCreated(resolve(database.path)) }
      return await openSqlite(database.path, { onAttemptsRecreated, ...made })
    }
    case 'mongodb': {
      const { openMongo } = await import('../adapters/mongodb/index.js')
      return await openMongo(database.url, {
        ...{ ...waiting, upgrade },
        poolSize: shareOf(POOL_SIZES.mongodb, workers),
        onCreated: () => onCreated('MongoDB'),
      })
    }
    case 'postgresql': {
      const { openPostgres } = await import('../adapters/postgresql/index.js')
      const onWarning = (detail: string) => log.warn('writes may be lost', { detail })
      const made = { onCreated: () => onCreated(`the schema ${schema} in PostgreSQL`), onWarning }
      return await openPostgres(database.url, {
        ...{ ...waiting, ...made, upgrade },
        schema,
        poolSize: shareOf(POOL_SIZES.postgresql, workers),
      })
    }
    case 'memory': {
      const { createMemoryStore } = await import('../adapters/memory/store.js')
      return createMemoryStore()
    }
    case 'module': {
      const { openStoreModule } = await import('./custom-parts/store-module.js')
      return await openStoreModule(database, log)
    }
  }
}

export function logCreated(log: Log): OpeningStore['onCreated'] {
  return (place) => log.info('store created', { detail: `a new, empty store: ${place}` })
}

/** Returns `undefined` if no transport is configured. Rejects with a `ConfigurationError` if the email templates are invalid. */
export async function openMail(
  settings: Settings,
  publicUrl: string,
  clock: Clock,
): Promise<Mail | undefined> {
  const { mailUrl: delivery, mailFrom: from } = settings
  const templates = await loadTemplates(settings)
  if (!delivery || !templates) return undefined
  const { createOutboxMailer, createSmtpMailer } = await import('../adapters/nodemailer/index.js')
  const mailer =
    delivery.kind === 'smtp'
      ? createSmtpMailer({ url: delivery.url, from, publicUrl })
      : createOutboxMailer({ folder: delivery.folder, from, clock })
  const {
    resetTokenTtl,
    resetUrl = `${publicUrl}/reset-password`,
    confirmUrl = `${publicUrl}/confirm`,
  } = settings
  return { mailer, templates, resetTokenTtl, resetUrl, confirmUrl }
}

/** Returns `undefined` if neither a mail transport nor a template folder is configured. */
export async function loadTemplates({
  mailUrl,
  mailTemplates,
  notices,
}: Settings): Promise<Mail['templates'] | undefined> {
  if (!mailUrl && mailTemplates === undefined) return undefined
  const { loadMailTemplates } = await import('../adapters/mustache/mail-templates.js')
  const wanted = notices.map((topic) => NOTICE_KINDS[topic])
  const loaded = loadMailTemplates(mailTemplates, wanted)
  if (loaded.ok) return loaded.templates
  throw new ConfigurationError(loaded.errors.map((error) => sentenceAbout('mailTemplates', `: ${error}`)))
}

/** Returns `undefined` if no file is configured. Rejects with a `ConfigurationError` if the file is invalid. */
export async function loadTexts({ pagesTexts: path }: Settings): Promise<PageTexts | undefined> {
  if (path === undefined) return undefined
  const { readTemplateFile } = await import('../adapters/mustache/template.js')
  const { OWN_TEXTS } = await import('../http/pages/packed-files.js')
  const file = readTemplateFile(path)
  const loaded = 'error' in file ? [file.error] : pageTexts(file.text, OWN_TEXTS)
  if (!Array.isArray(loaded)) return loaded
  throw new ConfigurationError(
    loaded.map((error) => sentenceAbout('pagesTexts', `: the file ${path} ${error}`)),
  )
}

/** Rejects with a `missing-package` Refusal if the passkey package is not installed. */
export async function openPasskeys(
  { passkeyDomain, corsOrigins }: Settings,
  publicUrl: string,
): Promise<{ readonly passkeyVerifier?: PasskeyVerifier }> {
  if (!passkeyDomain) return {}
  const { createPasskeyVerifier } = await import('../adapters/webauthn/passkey-verifier.js')
  // Browsers have no passkeys on http pages, except on loopback addresses.
  const others = corsOrigins.filter((origin) => !origin.startsWith('http:') || isLoopback(origin))
  const origins = [publicUrl, ...others]
  return { passkeyVerifier: await createPasskeyVerifier({ id: passkeyDomain.rpId, origins }) }
}

/** Wraps the store so that its calls are measured; without metrics, returns the store unchanged. */
export function meteredStore<Part extends StorePart>(store: Part, metrics: Metrics | undefined): Part {
  return metrics ? meterStore(store, metrics, () => performance.now()) : store
}

const RENEW_EVERY: Milliseconds = 60_000

type Serving = { readonly clock: Clock; readonly log: Log }

/**
 * Records that this process serves the store, until the returned function is called. Rejects only with an `incompatible-store` Refusal; any
 * other failure is logged, because the records matter only for upgrades. Does nothing for a custom store.
 */
export async function recordServing(store: object, { clock, log }: Serving): Promise<() => Promise<void>> {
  const records = instancesOf(store)
  if (!records) return () => Promise.resolve()
  const id = `${processName()}/${systemRandomness.base64url(3)}`
  const warn = (error: unknown) => log.warn('this instance could not be recorded as running', { error })
  await records.put(id, clock()).catch((error: unknown) => {
    if (isRefusal(error) && error.code === 'incompatible-store') throw error
    warn(error)
  })
  let renewing = Promise.resolve()
  const timer = setInterval(() => {
    renewing = renewing.then(() => records.put(id, clock())).catch(warn)
  }, RENEW_EVERY)
  timer.unref()
  return async () => {
    clearInterval(timer)
    await renewing
    await records.remove(id).catch(warn)
  }
}
