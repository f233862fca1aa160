import { medianOf, ratio, type Results } from './run.js'
import type { ServerTraffic, Traffic } from './load/traffic.js'

/** A number, or null if the system does not provide this number. */
export type Value = number | null

/** Without `digits`, a value is shown with three significant digits: 285, 2.85, 0.00285. */
export type Column = { readonly name: string; readonly digits?: number }

export type Row = { readonly name: string; readonly values: readonly Value[] }

/** A measured value and its goal. */
export type Claim = {
  readonly what: string
  /** Null if the value could not be measured on this machine. */
  readonly measured: Value
  readonly atLeast?: number
  readonly atMost?: number
  readonly unit?: string
  readonly digits?: number
}

/** The result of one figure. The result is stored as JSON, and the page is written from it. */
export type Report = {
  /** Sizes, numbers of connections and similar details, in a sentence. */
  readonly setting: string
  /** `TRAFFIC_COLUMNS` by default. */
  readonly columns?: readonly Column[]
  readonly rows: readonly Row[]
  readonly claims: readonly Claim[]
  /** Further findings: sentences with numbers. */
  readonly notes?: readonly string[]
}

export function atLeast(what: string, goal: number, measured: number, style: Partial<Claim> = {}): Claim {
  return { what, atLeast: goal, measured: known(measured), ...style }
}

export function atMost(what: string, goal: number, measured: number, style: Partial<Claim> = {}): Claim {
  return { what, atMost: goal, measured: known(measured), ...style }
}

/** A goal that was not measured counts as missed. */
export function isReached({ measured, atLeast: least = -Infinity, atMost: most = Infinity }: Claim): boolean {
  return measured !== null && measured >= least && measured <= most
}

export const TRAFFIC_COLUMNS: readonly Column[] = [
  { name: 'requests/s', digits: 0 },
  { name: 'p99 ms', digits: 2 },
  { name: 'CPU µs/request', digits: 0 },
]

/** Returns the medians of `latencyRow` and the median CPU time of a request. */
export function trafficRow(results: Results<ServerTraffic>): Row {
  const { name, values } = latencyRow(results)
  return { name, values: [...values, known(medianOf(results, cpuOf))] }
}

/** Returns the medians of the request rate and of the 99th percentile latency. */
export function latencyRow(results: Results<Traffic>): Row {
  const of = (read: (round: Traffic) => number) => known(medianOf(results, read))
  return { name: results.name, values: [of(perSecondOf), of(({ p99 }) => p99)] }
}

export function perSecondOf({ perSecond }: Traffic): number {
  return perSecond
}

export function cpuOf({ cpuMicroseconds }: ServerTraffic): number {
  return cpuMicroseconds
}

/** A server and its peer, measured in the same rounds. */
export type Comparison = {
  /** For example, `one pet relative to bare Koa`. */
  readonly name: string
  readonly ours: Results<ServerTraffic>
  readonly peer: Results<ServerTraffic>
  /** The minimum ratio of our throughput to the peer's throughput, per second of server CPU time. */
  readonly cpuGoal?: number
  /** The minimum ratio of our throughput to the peer's throughput, per second of elapsed time. */
  readonly clockGoal?: number
}

/** The report of comparisons, with a claim for each goal. */
export function reportOf(setting: string, comparisons: readonly Comparison[]): Report {
  const sides = new Set(comparisons.flatMap(({ ours, peer }) => [ours, peer]))
  return { setting, rows: Array.from(sides, trafficRow), claims: comparisons.flatMap(claimsOf) }
}

function claimsOf({ name, ours, peer, cpuGoal, clockGoal }: Comparison): readonly Claim[] {
  const byCpu = ratio(peer, ours, cpuOf)
  const byClock = ratio(ours, peer, perSecondOf)
  return [
    ...(cpuGoal === undefined ? [] : [atLeast(name, cpuGoal, byCpu)]),
    ...(clockGoal === undefined ? [] : [atLeast(`${name}, in wall-clock time`, clockGoal, byClock)]),
  ]
}

/** Formats a number with commas, as in 10,000. */
export function thousands(count: number): string {
  return count.toLocaleString('en')
}

/** During the measurement, a value that the system does not provide is NaN. */
export function known(value: number): Value {
  return Number.isNaN(value) ? null : value
}
