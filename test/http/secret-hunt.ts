import { createLog } from '../../src/adapters/pino/index.js'
import { createPrometheusMetrics, type PrometheusMetrics } from '../../src/adapters/prometheus/index.js'
import type { AuditRecord } from '../../src/domain/audit.js'
import { isRefusal } from '../../src/domain/refusal.js'
import type { AuditLog } from '../../src/ports/audit-log.js'
import type { Log, LogLevel } from '../../src/ports/log.js'
import type { Metrics } from '../../src/ports/metrics.js'
import type { Reply, Call } from '../support/http/client.js'
import { createSecrets, type Secrets } from '../support/secrets.js'

/** Collects all output of a service and, at the end, searches the output for the secrets that the service received. */
export type SecretHunt = {
  readonly secrets: Secrets
  /** A real in-memory log at the most verbose level; it also passes every line to `own`. */
  log(own?: Log): Log
  readonly metrics: Metrics
  /** Adds a failure reply to the searched output. */
  replied(reply: Reply): void
  /** Throws an Error that names the kind of secret and where it was found, but never the secret itself. */
  end(audit: Pick<AuditLog, 'page'>): Promise<void>
}

const PAGE = 1_000

export function createSecretHunt(): SecretHunt {
  const secrets = createSecrets()
  const lines: string[] = []
  const failures = new Set<string>()
  const prometheus = createPrometheusMetrics()
  const json = createLog({
    level: 'debug',
    pretty: false,
    destination: { write: (line) => lines.push(line) },
  })
  return {
    secrets,
    log: (own) => (own ? both(own, json) : json),
    metrics: prometheus.metrics,
    replied: ({ status, text }) => {
      if (status >= 400) failures.add(text)
    },
    end: async (audit) => {
      const look = lookFor(secrets)
      for (const line of lines) look(line, () => `the log line "${eventOf(line)}"`)
      for (const text of failures) look(text, () => 'the body of a refusal')
      look(await metricsOf(prometheus), () => 'the metrics')
      for (const record of await recordsOf(audit))
        look(JSON.stringify(record), () => `the audit record ${record.event}`)
    },
  }
}

function lookFor(secrets: Secrets) {
  return (text: string, place: () => string): void => {
    const kind = secrets.foundIn(text)
    if (kind !== undefined) throw new Error(`a secret appears in ${place()}: ${kind}`)
  }
}

function eventOf(line: string): string {
  return String((JSON.parse(line) as { event: unknown }).event)
}

/** Omits the comment lines, whose text is fixed. */
async function metricsOf({ exposition }: PrometheusMetrics): Promise<string> {
  return (await exposition()).text.replaceAll(/^#.*$/gm, '')
}

/** Returns no records if the test has closed its store. */
async function recordsOf(audit: Pick<AuditLog, 'page'>): Promise<readonly AuditRecord[]> {
  const records: AuditRecord[] = []
  try {
    for (;;) {
      const last = records.at(-1)
      const page = await audit.page({ limit: PAGE, ...(last && { after: last.id }) })
      records.push(...page)
      if (page.length < PAGE) return records
    }
  } catch (error) {
    if (isRefusal(error) && error.code === 'unavailable') return records
    throw error
  }
}

function both(one: Log, other: Log): Log {
  const at =
    (level: LogLevel): Log['info'] =>
    (event, fields) => {
      one[level](event, fields)
      other[level](event, fields)
    }
  return {
    debug: at('debug'),
    info: at('info'),
    warn: at('warn'),
    error: at('error'),
    enabled: () => true,
  }
}

const API_KEY_HEADERS = ['x-api-key', 'apikeyauth']
const PET_HEADERS = ['authorization', 'basicauth']

/** Remembers the secrets in the headers and the body of a request. */
export function rememberSent(secrets: Secrets, { headers = {}, json, body }: Call): void {
  for (const [name, values] of Object.entries(headers))
    for (const value of [values].flat()) rememberHeader(secrets, name.toLowerCase(), value)
  rememberBody(secrets, json ?? (typeof body === 'string' ? parsed(body) : undefined))
}

/** Remembers every secret that a reply contains. */
export function rememberReceived(secrets: Secrets, { headers, json }: Reply): void {
  for (const line of headers['set-cookie'] ?? []) rememberCookies(secrets, line.split(';', 1))
  const view = memberOf(json, 'view')
  secrets.remember('access token', memberOf(view, 'jwt'))
  secrets.remember('refresh token', memberOf(view, 'refreshToken'))
  rememberFactor(secrets, view)
}

function rememberHeader(secrets: Secrets, name: string, value: string): void {
  const [, bearer] = /^bearer\s+(.*)$/i.exec(value) ?? []
  secrets.remember('access token', bearer)
  if (name === 'user-agent') secrets.remember('User-Agent', value)
  if (name === 'cookie') rememberCookies(secrets, value.split(';'))
  if (API_KEY_HEADERS.includes(name)) secrets.remember('API key', value)
  if (PET_HEADERS.includes(name)) rememberBasic(secrets, value)
}

function rememberCookies(secrets: Secrets, pairs: readonly string[]): void {
  for (const pair of pairs) secrets.remember('session cookie', pair.slice(pair.indexOf('=') + 1).trim())
}

function rememberBasic(secrets: Secrets, value: string): void {
  const basic = value.replace(/^basic\s+/i, '')
  secrets.remember('Basic header', basic)
  const text = Buffer.from(basic, 'base64').toString('utf8')
  const colon = text.indexOf(':')
  if (colon >= 0) secrets.remember('password', text.slice(colon + 1))
}

function rememberBody(secrets: Secrets, json: unknown): void {
  secrets.remember('password', memberOf(json, 'password'))
  secrets.remember('password', memberOf(json, 'newPassword'))
  secrets.remember('refresh token', memberOf(json, 'refreshToken'))
  secrets.remember('reset token', memberOf(json, 'resetToken'))
  rememberCode(secrets, memberOf(json, 'code'))
}

/** Remembers a second factor's secret in all forms, and its recovery codes, but not its one-time codes. */
function rememberFactor(secrets: Secrets, view: unknown): void {
  for (const name of ['secret', 'uri', 'qrCode']) secrets.remember('factor secret', memberOf(view, name))
  const codes = memberOf(view, 'recoveryCodes')
  for (const code of Array.isArray(codes) ? (codes as unknown[]) : []) rememberCode(secrets, code)
}

/** Six digits alone are too common to search for, but as a quoted string they occur nowhere else. */
function rememberCode(secrets: Secrets, code: unknown): void {
  if (typeof code !== 'string') return
  if (/^\d{6}$/.test(code)) secrets.remember('one-time code', `"${code}"`)
  else for (const text of [code, code.replaceAll('-', '')]) secrets.remember('recovery code', text)
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    return undefined
  }
}
