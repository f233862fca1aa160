import { startBackground } from '../composition-root/background.js'
import { ConfigurationError } from '../configuration/sentence.js'
import { systemClock } from '../adapters/system/index.js'
import { guardedLog, guardedMetrics } from '../application/guarded-observers.js'
import { isVerifiedBy } from '../application/identity/presented.js'
import { refusePages } from '../application/identity/get-identity.js'
import type { Offered } from '../application/wiring.js'
import { composeService, type Mail } from '../composition-root/service.js'
import { createCredentials, type KeyedCredentials } from '../composition-root/credentials.js'
import { httpSettings } from '../composition-root/http-settings.js'
import {
  infrastructureOf,
  modeOf,
  warnOfNoAudit,
  limitPreviousAccounts,
} from '../composition-root/infrastructure.js'
import {
  recordServing,
  loadTexts,
  logCreated,
  meteredStore,
  openMail,
  openPasskeys,
  openStore,
} from '../composition-root/open-parts.js'
import { watchedParts, watchedStore } from '../composition-root/custom-parts/watch.js'
import type { Settings } from '../configuration/derived.js'
import { type Log, SILENT_LOG, type LogFields, type LogLevel } from '../ports/log.js'
import type { PartialStore } from '../ports/store.js'
import { registerUseCases } from '../http/parts.js'
import { createGate } from './inputs.js'
import { NO_COMPONENTS } from '../domain/access/components.js'
import { createIdentification } from './identify.js'
import type { Kennel } from './kennel.js'
import type { AnyOptions } from './options.js'
import { authorizeInputs } from './custom-components.js'
import { optionsError, readOptions } from './read-options.js'
import { createSessionCookieHeaders } from './session-cookie.js'
import { createWithin } from './within.js'
import { standardOutput } from '../adapters/pino/output.js'
import { asText } from '../adapters/pino/written-line.js'

export async function open(given: AnyOptions): Promise<Offered<Kennel>> {
  const { options: plain, settings, warnings } = readOptions(given)
  const log = plain.parts?.log ? guardedLog(plain.parts.log, STANDARD_ERROR_LOG) : STANDARD_ERROR_LOG
  for (const detail of warnings) log.warn('configuration', { detail })
  const watched = watchedParts(plain.parts ?? {}, log)
  const metrics = watched.metrics && guardedMetrics(watched.metrics, log)
  const options = { ...plain, parts: { ...watched, metrics } }
  const opened = await openServed(plain, settings, log)
  const store = meteredStore(opened.store, options.parts.metrics)
  try {
    const { publicUrl = '' } = settings
    const { passphrase = '' } = options
    const credentials = await createCredentials(settings, { passphrase, publicUrl })
    return await assemble(options, { settings, store, credentials, log, closeStore: opened.close })
  } catch (error) {
    await opened.close()
    throw error instanceof ConfigurationError ? optionsError(error) : error
  }
}

/** Opens the store, and records that this process uses it. `close` leaves a custom store open. */
async function openServed({ store: given, parts }: AnyOptions, settings: Settings, log: Log) {
  const serving = { clock: parts?.clock ?? systemClock, log }
  if (typeof given === 'object')
    return { store: watchedStore(given, log), close: await recordServing(given, serving) }
  const store = await openStore(settings, { log, onCreated: logCreated(log), serving })
  return { store, close: () => store.close() }
}

type Opened = {
  readonly settings: Settings
  readonly store: PartialStore
  readonly credentials: KeyedCredentials
  readonly log: Log
  /** Leaves a custom store open. */
  readonly closeStore: () => Promise<void>
}

async function assemble(options: AnyOptions, opened: Opened): Promise<Offered<Kennel>> {
  const { settings, store, credentials, log, closeStore } = opened
  if (!options.parts?.auditSinks) warnOfNoAudit(settings, store, log)
  const { publicUrl = '' } = settings
  const [mail, pageTexts, passkeys] = await Promise.all([
    mailOf(options, settings),
    loadTexts(settings),
    openPasskeys(settings, publicUrl),
  ])
  const runs = options.background !== false
  const parts = {
    ...infrastructureOf(settings, { store, log, metrics: options.parts?.metrics }),
    ...replacements(options),
    ...passkeys,
    // Audit record counts are queued only if background work writes them later.
    auditBatched: runs,
    onMailQueued: () => background?.wakeMailing(),
  }
  const { useCases, mails } = composeService({ ...parts, ...credentials }, modeOf(settings), mail)
  const clock = options.parts?.clock ?? systemClock
  const background = runs ? startBackground({ ...useCases, mails, clock, log }) : undefined
  const gate = createGate({
    isVerified: (token) => isVerifiedBy(credentials.tokens, token),
    authorize: authorizeInputs(options.components ?? NO_COMPONENTS),
  })
  const forHttp = httpSettings(settings, { publicUrl, publicKeys: credentials.publicKeys, pageTexts })
  const { getIdentity, identifyPage, authenticateApiKey } = useCases
  const methods = {
    ...useCases,
    ...createIdentification(
      {
        ...{ getIdentity, authenticateApiKey },
        identifyPage: options.pages === true ? identifyPage : refusePages,
      },
      forHttp,
    ),
    ...(store.mailQueue && { sendMails: async () => (mails ? (await mails.sendMails()).sent : 0) }),
  }
  const kennel = {
    ...gate.guard(methods),
    get closed() {
      return gate.isClosed()
    },
    ready: () => gate.pass(() => store.ready()),
    within: createWithin({ ...parts, ...credentials, hasher: useCases.hasher }, { gate, log }),
    sessionCookie: createSessionCookieHeaders(settings.cookie),
    httpSettings: forHttp,
    log,
    close: () =>
      gate.close(async () => {
        try {
          await background?.end()
          // If emails are sent in the background, the background work has already closed the mailer.
          if (!(background && mails)) await mail?.mailer.close()
        } finally {
          await closeStore()
        }
      }),
  }
  return registerUseCases(kennel, gate.admit(methods))
}

/** Returns the custom parts that replace Kennel's own parts. */
function replacements({ parts = {} }: AnyOptions) {
  const { clock, randomness, hasher, passwordBlocklist, auditSinks, admitAccount, previousAccounts } = parts
  return {
    operator: 'embedder',
    ...(clock && { clock }),
    ...(randomness && { randomness }),
    ...(hasher && { hasher }),
    ...(passwordBlocklist && { passwordBlocklist }),
    ...(auditSinks && { auditSinks }),
    ...(admitAccount && { admitAccount }),
    ...(previousAccounts && { previousAccounts: limitPreviousAccounts(previousAccounts) }),
  }
}

async function mailOf({ parts = {} }: AnyOptions, settings: Settings): Promise<Mail | undefined> {
  const { publicUrl = '' } = settings
  const opened = await openMail(settings, publicUrl, parts.clock ?? systemClock)
  if (!opened) return undefined
  const { mailer = opened.mailer, mailTemplates: templates = opened.templates } = parts
  return { ...opened, mailer, templates }
}

const write = (level: LogLevel) => (event: string, fields?: LogFields) => {
  standardOutput(2).write(asText({ at: Date.now(), level, event, fields }))
}

/** The default log: writes warnings and errors to standard error in readable lines. */
const STANDARD_ERROR_LOG: Log = {
  ...SILENT_LOG,
  warn: write('warn'),
  error: write('error'),
  enabled: (level) => level === 'warn' || level === 'error',
}
