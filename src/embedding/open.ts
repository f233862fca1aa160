import { isAuthorized } from '../application/access/authorize.js'
import { boundVerifications } from '../adapters/scrypt/index.js'
import { systemClock } from '../adapters/system/index.js'
import type { Log } from '../ports/log.js'
import type { Store } from '../ports/store.js'
import type { Configuration } from '../configuration/configuration.js'
import { createAuditFlushing, type AuditFlushing } from '../composition-root/audit-flushing.js'
import { composeUseCases, type Resolve } from '../composition-root/container.js'
import { configuredCredentials, type Credentials } from '../composition-root/credentials.js'
import type { Infrastructure } from '../composition-root/infrastructure-parts.js'
import { concurrencyOf, infrastructureOf } from '../composition-root/infrastructure.js'
import { httpSettings } from '../composition-root/http-settings.js'
import { httpUseCases } from '../composition-root/http-use-cases.js'
import { createMailing, mailWork, openMail, resetMail, type Mailing } from '../composition-root/mailing.js'
import { meteredStore } from '../composition-root/metering.js'
import { openStore } from '../composition-root/open-store.js'
import { createPurging, type Purging } from '../composition-root/purging.js'
import { TOKENS } from '../composition-root/tokens.js'
import { ConfigurationError } from '../configuration/configuration-error.js'
import { createGate } from './gate.js'
import type { Kennel } from './kennel.js'
import { operatorUseCases } from './operator-use-cases.js'
import type { KennelOptions } from './options.js'
import { watchedParts } from './parts/part-laws.js'
import { optionsError, readOptions } from './read-options.js'
import { createSessionCookieHeaders } from './session-cookie.js'
import { watchedStore } from './parts/store-laws.js'

const SILENT: Log = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
  enabled: () => false,
}

/** What `openKennel` does once it is loaded. */
export async function open(given: KennelOptions): Promise<Kennel> {
  const { options: plain, configuration, warnings } = readOptions(given)
  const log = plain.parts?.log ?? SILENT
  for (const detail of warnings) log.warn('configuration', { detail })
  const options = { ...plain, parts: watchedParts(plain.parts ?? {}, log) }
  const own = typeof plain.store === 'object' ? watchedStore(plain.store, log) : undefined
  const opened = own ?? (await openStore(configuration.database))
  const store = meteredStore(opened, options.parts.metrics)
  try {
    const { publicUrl = '' } = configuration.http
    const { passphrase } = options
    const credentials = await configuredCredentials(configuration, { passphrase, publicUrl })
    return await assemble(options, { configuration, store, credentials, log, isOwn: own !== undefined })
  } catch (error) {
    if (!own) await store.close()
    throw error
  }
}

type Opened = {
  readonly configuration: Configuration
  readonly store: Store
  readonly credentials: Credentials
  readonly log: Log
  /** The caller's, which stays open. */
  readonly isOwn: boolean
}

async function assemble(options: KennelOptions, opened: Opened): Promise<Kennel> {
  const { configuration, store, credentials, log, isOwn } = opened
  const background: { flushing?: AuditFlushing; mailing?: Mailing; purging?: Purging } = {}
  const mail = await mailOf(options, configuration, () => background.mailing?.wake())
  const resolve = composeUseCases({
    ...infrastructureOf(configuration, { store, log, metrics: options.parts?.metrics }),
    ...replacements(options, configuration),
    // Where nothing runs in the background nothing is held back either.
    auditBatched: options.background !== false,
    ...(mail && { mail }),
    credentials,
  })
  if (options.background !== false) {
    background.flushing = createAuditFlushing(resolve(TOKENS.audit))
    background.purging = createPurging(resolve(TOKENS.purgeExpired), log)
    const clock = options.parts?.clock ?? systemClock
    if (mail) background.mailing = createMailing(mailWork(resolve), mail.mailer, { clock, log })
  }
  const { permissions } = configuration
  const gate = createGate((value) => isAuthorized(permissions, value))
  const { publicUrl = '' } = configuration.http
  return {
    ...gate.guard({
      ...httpUseCases(resolve),
      ...operatorUseCases(resolve),
      ...chores(resolve, mail !== undefined),
    }),
    ready: () => gate.pass(() => store.ready()),
    sessionCookie: createSessionCookieHeaders(configuration.identity.cookie),
    httpSettings: httpSettings(configuration, publicUrl, credentials.publicKeys),
    close: () =>
      gate.close(async () => {
        try {
          await background.mailing?.end()
          await background.purging?.end()
          if (!background.mailing) await mail?.mailer.close()
        } finally {
          // The last of them, since the others put on record what they find.
          await background.flushing?.end()
          if (!isOwn) await store.close()
        }
      }),
  }
}

function chores(resolve: Resolve, sendsMail: boolean) {
  return {
    purgeExpired: resolve(TOKENS.purgeExpired),
    sendMails: async () => (sendsMail ? (await resolve(TOKENS.sendMails)()).sent : 0),
  }
}

/** Parts of the caller's own, in the place of ours. */
function replacements({ parts = {} }: KennelOptions, configuration: Configuration): Partial<Infrastructure> {
  const { clock, randomness, hasher, auditSinks } = parts
  const bounds = { concurrency: concurrencyOf(configuration), metrics: parts.metrics }
  return {
    operator: 'embedder',
    ...(clock && { clock }),
    ...(randomness && { randomness }),
    ...(hasher && { hasher, basicHasher: boundVerifications(hasher, bounds) }),
    ...(auditSinks && { auditSinks }),
  }
}

async function mailOf(
  { parts = {} }: KennelOptions,
  configuration: Configuration,
  onQueued: () => void,
): Promise<Infrastructure['mail']> {
  const opened = await openMail(configuration, parts.clock ?? systemClock).catch((error: unknown) => {
    throw error instanceof ConfigurationError ? optionsError(error) : error
  })
  if (!opened) return undefined
  const { mailer = opened.mailer, mailTemplates: templates = opened.templates } = parts
  return { mailer, templates, ...resetMail(configuration, configuration.http.publicUrl ?? ''), onQueued }
}
