import { createLog } from '../../src/adapters/pino/index.js'
import { createPrometheusMetrics, type PrometheusMetrics } from '../../src/adapters/prometheus/index.js'
import type { AuditRecord } from '../../src/domain/audit.js'
import { isRefusal } from '../../src/domain/refusal.js'
import type { AuditLog } from '../../src/ports/audit-log.js'
import type { Log, LogLevel } from '../../src/ports/log.js'
import type { Metrics } from '../../src/ports/metrics.js'
import type { Reply } from '../support/http/client.js'
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
