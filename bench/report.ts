import { median, type Results, type ServerTraffic } from './alternate.js'

/** A number, or null if the system does not provide it. */
export type Value = number | null

/** Without `digits` a value has three significant digits: 285, 2.85, 0.00285. */
export type Column = { readonly name: string; readonly digits?: number }

export type Row = { readonly name: string; readonly values: readonly Value[] }

/** A measured value and its goal. */
export type Claim = {
  readonly what: string
  /** Null if it could not be measured here. */
  readonly measured: Value
  /** Why it could not be measured, such as `no Bun`. */
  readonly unmeasured?: string
  readonly atLeast?: number
  readonly atMost?: number
  readonly unit?: string
  readonly digits?: number
  /** Its name in the summary on top of the page and, without a unit, in the chart of ratios. */
  readonly short?: string
}

/** How a claim is written. */
type Style = Pick<Claim, 'unit' | 'digits' | 'short' | 'unmeasured'>

type Drawing = {
  /** The name of its files, in kebab case, beginning with the name of the figure. */
  readonly name: string
  readonly title: string
  /** The content of the chart, in one sentence, for screen readers. */
  readonly about: string
}

export type Bar = {
  readonly name: string
  readonly value: number
  readonly goal?: number
  /** True if the goal is a maximum. */
  readonly lessIsBetter?: boolean
}

/** One bar for each value, with a mark at its goal. */
export type Bars = Drawing & {
  readonly kind: 'bars'
  readonly unit?: string
  readonly bars: readonly Bar[]
}

export type Axis = { readonly name: string; readonly scale?: 'linear' | 'log' }

/** A dashed line is a goal or an ideal, not a measurement. */
export type Line = {
  readonly name: string
  readonly points: readonly (readonly [x: number, y: number])[]
  readonly dashed?: boolean
}

/** Growth with size, latency under load, reads by cores. */
export type Lines = Drawing & {
  readonly kind: 'lines'
  readonly x: Axis
  readonly y: Axis
  readonly lines: readonly Line[]
}

export type Chart = Bars | Lines

/** The result of one figure. It is kept as JSON, and the page is written from it. */
export type Report = {
  /** Sizes, connections and so on, in a sentence: figures of one name differ in nothing else. */
  readonly setting: string
  readonly columns: readonly Column[]
  readonly rows: readonly Row[]
  readonly claims: readonly Claim[]
  /** A sentence for the summary on top of the page besides the claims, such as `9 times as many logins as …`. */
  readonly headline?: string
  readonly charts?: readonly Chart[]
  /** Further findings in sentences that contain the numbers; reasons are in `bench/notes`. */
  readonly notes?: readonly string[]
}

/** A bar for each measured claim, with its goal. */
export function chartOfClaims(claims: readonly Claim[], drawing: Drawing & { readonly unit?: string }): Bars {
  const bars = claims.flatMap(({ what, measured, atLeast: least, atMost: most }) => {
    const goal = least ?? most
    const mark = goal === undefined ? {} : { goal, lessIsBetter: most !== undefined }
    return measured === null ? [] : [{ name: what, value: measured, ...mark }]
  })
  return { kind: 'bars', ...drawing, bars }
}

export function atLeast(what: string, goal: number, measured: Value, style: Style = {}): Claim {
  return { what, atLeast: goal, measured, ...style }
}

export function atMost(what: string, goal: number, measured: Value, style: Style = {}): Claim {
  return { what, atMost: goal, measured, ...style }
}

/** An unmeasured goal counts as not reached. */
export function isReached({ measured, atLeast: least = -Infinity, atMost: most = Infinity }: Claim): boolean {
  return measured !== null && measured >= least && measured <= most
}

export const TRAFFIC_COLUMNS: readonly Column[] = [
  { name: 'requests/s', digits: 0 },
  { name: 'p50 ms', digits: 2 },
  { name: 'p99 ms', digits: 2 },
  { name: 'CPU µs/request', digits: 0 },
]

/** The medians of the rounds. */
export function trafficRow({ name, rounds }: Results<ServerTraffic>): Row {
  const of = (read: (round: ServerTraffic) => number) => known(median(rounds.map(read)))
  return {
    name,
    values: [
      of((round) => round.perSecond),
      of((round) => round.p50),
      of((round) => round.p99),
      of((round) => round.cpuMicroseconds),
    ],
  }
}

/** Columns and row of a total time, in milliseconds. */
export const TIME_COLUMNS: readonly Column[] = ['median ms', 'fastest ms', 'slowest ms'].map((name) => ({
  name,
  digits: 0,
}))

export function timeRow({ name, rounds }: Results<number>): Row {
  return { name, values: [median(rounds), Math.min(...rounds), Math.max(...rounds)] }
}

/** With commas, as in 10,000. */
export function thousands(count: number): string {
  return count.toLocaleString('en')
}

/** A value that the system does not provide is NaN during the measurement. */
export function known(value: number): Value {
  return Number.isNaN(value) ? null : value
}
