import { isAuthorized } from '../application/access/authorize.js'
import { systemClock } from '../adapters/system/index.js'
import type { MailParts } from '../application/infrastructure.js'
import type { Log } from '../ports/log.js'
import type { Store } from '../ports/store.js'
import type { Configuration } from '../configuration/configuration.js'
import { createAuditFlushing, type AuditFlushing } from '../composition-root/audit-flushing.js'
import { composeService } from '../composition-root/container.js'
import { configuredCredentials, type KeyedCredentials } from '../composition-root/credentials.js'
import { infrastructureOf, modeOf } from '../composition-root/infrastructure.js'
import { httpSettings } from '../composition-root/http-settings.js'
import { createMailing, openMail, resetMail, type Mailing } from '../composition-root/mailing.js'
import { meteredStore } from '../composition-root/metering.js'
import { openStore } from '../composition-root/open-store.js'
import { createPurging, type Purging } from '../composition-root/purging.js'
import { ConfigurationError } from '../configuration/configuration-error.js'
import { createGate } from './gate.js'
import type { Kennel } from './kennel.js'
import type { KennelOptions } from './options.js'
import { watchedParts, watchedStore } from './parts/watch.js'
import { optionsError, readOptions } from './read-options.js'
import { createSessionCookieHeaders } from './session-cookie.js'

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
  readonly credentials: KeyedCredentials
  readonly log: Log
  /** The caller's, which stays open. */
  readonly isOwn: boolean
}

async function assemble(options: KennelOptions, opened: Opened): Promise<Kennel> {
  const { configuration, store, credentials, log, isOwn } = opened
  const background: { flushing?: AuditFlushing; mailing?: Mailing; purging?: Purging } = {}
  const mail = await mailOf(options, configuration)
  const { useCases, mails } = composeService(
    {
      ...infrastructureOf(configuration, { store, log, metrics: options.parts?.metrics }),
      ...replacements(options),
      // Where nothing runs in the background nothing is held back either.
      auditBatched: options.background !== false,
      onMailQueued: () => background.mailing?.wake(),
      ...credentials,
    },
    modeOf(configuration),
    mail,
  )
  if (options.background !== false) {
    background.flushing = createAuditFlushing(useCases.audit)
    background.purging = createPurging(useCases.purgeExpired, log)
    const clock = options.parts?.clock ?? systemClock
    if (mail && mails) background.mailing = createMailing(mails, mail.mailer, { clock, log })
  }
  const { permissions } = configuration
  const gate = createGate((value) => isAuthorized(permissions, value))
  const { publicUrl = '' } = configuration.http
  return {
    ...gate.guard({
      ...useCases,
      sendMails: async () => (mails ? (await mails.sendMails()).sent : 0),
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

/** Parts of the caller's own, in the place of ours. */
function replacements({ parts = {} }: KennelOptions) {
  const { clock, randomness, hasher, auditSinks } = parts
  return {
    operator: 'embedder',
    ...(clock && { clock }),
    ...(randomness && { randomness }),
    ...(hasher && { hasher }),
    ...(auditSinks && { auditSinks }),
  }
}

async function mailOf(
  { parts = {} }: KennelOptions,
  configuration: Configuration,
): Promise<Omit<MailParts, 'audit'> | undefined> {
  const opened = await openMail(configuration, parts.clock ?? systemClock).catch((error: unknown) => {
    throw error instanceof ConfigurationError ? optionsError(error) : error
  })
  if (!opened) return undefined
  const { mailer = opened.mailer, mailTemplates: templates = opened.templates } = parts
  return { mailer, templates, ...resetMail(configuration, configuration.http.publicUrl ?? '') }
}
