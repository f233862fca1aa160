import { createPrometheusMetrics } from '../../../src/adapters/prometheus/prometheus-metrics.js'
import type { Metrics } from '../../../src/ports/metrics.js'
import { samplesIn, type Sample } from '../metric-samples.js'

/** The end of the hour and the scrape interval, in seconds. */
export const END = Date.UTC(2026, 0, 15, 12) / 1000
export const STEP = 15
export const HOUR = 3600
/** Rates at the beginning of the hour need earlier samples. */
const BEFORE = 300
const NINE_DAYS = 9 * 24 * HOUR

/** Ordinary traffic: `rate` in requests per second, and `takes` in milliseconds. */
const TRAFFIC = [
  { method: 'GET', route: '/api/auth/get-identity', status: 200, rate: 24, takes: 0.9 },
  { method: 'GET', route: '/v1/pets', status: 200, rate: 9, takes: 4 },
  { method: 'GET', route: '/v1/pets/:petId', status: 200, rate: 6, takes: 2 },
  { method: 'GET', route: '/v1/pets/:petId', status: 404, rate: 0.3, takes: 2 },
  { method: 'POST', route: '/api/auth/refresh', status: 200, rate: 3, takes: 5 },
  { method: 'POST', route: '/api/auth/login', status: 200, rate: 0.8, takes: 90 },
] as const

/** The minutes of the hour in which an attacker guesses passwords, and in which the store is down. */
const GUESSING = { from: 14, to: 22 }
const AWAY = { from: 41, to: 43 }

/**
 * One hour of a service's own metrics, in the OpenMetrics text format with the time of each scrape: an ordinary afternoon with two
 * incidents. Each call returns the same text, except for the figures about this process.
 */
export async function recordedHour(): Promise<string> {
  const { metrics, exposition } = createPrometheusMetrics()
  const lines = new Map<string, string[]>()
  const tell = createAfternoon(metrics)
  for (let at = END - HOUR - BEFORE; at <= END; at += STEP) {
    tell((at - (END - HOUR)) / 60)
    for (const sample of samplesIn((await exposition()).text)) note(lines, sample, at)
  }
  return `${Array.from(lines.values(), (of) => of.join('\n')).join('\n')}\n# EOF\n`
}

function note(lines: Map<string, string[]>, { name, labels, value }: Sample, at: number): void {
  const pairs = Object.entries({ ...labels, instance: 'kennel-1:9464', job: 'kennel' })
  const series = `${name}{${pairs.map(([label, text]) => `${label}="${text}"`).join(',')}}`
  const shown = name === 'process_start_time_seconds' ? END - NINE_DAYS : value
  const of = lines.get(series) ?? []
  lines.set(series, of)
  of.push(`${series} ${String(shown).replace('Infinity', 'Inf')} ${at}`)
}

/** Returns a function that records the events of the scrape interval that ends at the given minute. */
function createAfternoon(metrics: Metrics): (minute: number) => void {
  const times = createCounter()
  const spread = createSpread()
  return (minute) => {
    const isAway = isIn(AWAY, minute)
    const swing = 1 + 0.25 * Math.sin(minute / 9) + 0.1 * Math.sin(minute * 1.7)
    for (const { method, route, status, rate, takes } of TRAFFIC) {
      for (let n = times(`${route} ${status}`, rate * swing); n > 0; n -= 1)
        metrics.requestAnswered({ method, route, status: isAway ? 503 : status, duration: takes * spread() })
    }
    tellOfIdentity(metrics, { times, swing, isAway })
    tellOfGuesses(metrics, times('guess', isIn(GUESSING, minute) ? 3 : 0.05), spread)
    for (let n = times('call', 45 * swing); n > 0; n -= 1)
      metrics.storeCalled(n % 3 === 0 ? 'pets' : 'sessions', isAway ? 'unavailable' : 'ok', 0.3 * spread())
  }
}

type Circumstances = { times: Counter; swing: number; isAway: boolean }
type Counter = (name: string, rate: number) => number

function tellOfIdentity(metrics: Metrics, { times, swing, isAway }: Circumstances): void {
  for (let n = times('login', 0.8 * swing); n > 0; n -= 1) {
    metrics.loginTried(isAway ? 'unavailable' : 'success')
    if (!isAway) metrics.sessionOpened()
    metrics.hashComputed({ waited: 4 * n, took: 70 + 6 * n })
  }
  if (isAway) return
  for (let n = times('refresh', 2.9 * swing); n > 0; n -= 1) metrics.refreshTried('rotated')
  for (let n = times('second tab', 0.15); n > 0; n -= 1) metrics.refreshTried('superseded')
  metrics.sessionsEnded('ended', times('logout', 0.35 * swing))
  metrics.sessionsEnded('expired', times('expiry', 0.25))
}

function tellOfGuesses(metrics: Metrics, guesses: number, spread: () => number): void {
  metrics.hashesWaiting(Math.floor(guesses / 6))
  for (let n = guesses; n > 0; n -= 1) {
    const isLimited = n % 3 === 0
    if (n % 20 === 0) metrics.connectionClosed('flooding')
    metrics.loginTried(isLimited ? 'too-many-attempts' : 'login-failed')
    const [status, duration] = isLimited ? [429, spread()] : [401, 90 * spread()]
    metrics.requestAnswered({ method: 'POST', route: '/api/auth/login', status, duration })
  }
}

function createCounter(): Counter {
  const left = new Map<string, number>()
  return (name, rate) => {
    const due = (left.get(name) ?? 0) + rate * STEP
    left.set(name, due % 1)
    return Math.floor(due)
  }
}

/**
 * Factors for a duration, with a realistic distribution: most are near 1, and a few are several times larger. The factors follow the
 * golden ratio instead of being random, so that each recording gets the same factors.
 */
function createSpread(): () => number {
  let part = 0
  return () => {
    part = (part + 0.618_033_988_75) % 1
    return 0.7 / (1.02 - part) ** 0.6
  }
}

function isIn({ from, to }: { readonly from: number; readonly to: number }, minute: number): boolean {
  return minute > from && minute <= to
}
