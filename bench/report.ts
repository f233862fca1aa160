import { median, ratio, type Results, type ServerTraffic } from './alternate.js'

/** A number, or null where the system does not tell it. */
export type Value = number | null

/** Without `digits` a value has three that count: 285, 2.85, 0.00285. */
export type Column = { readonly name: string; readonly digits?: number }

export type Row = { readonly name: string; readonly values: readonly Value[] }

/** What was measured, and the goal that it is judged by. */
export type Claim = {
  readonly what: string
  /** Null where it could not be measured here; a note says why. */
  readonly measured: Value
  readonly atLeast?: number
  readonly atMost?: number
  readonly unit?: string
  readonly digits?: number
  /** Under this name it stands in the summary on top of the page and, where it has no unit, in the chart of ratios. */
  readonly short?: string
}

/** How a claim is written. */
type Style = Pick<Claim, 'unit' | 'digits' | 'short'>

type Drawing = {
  /** Of its files, in kebab case, beginning with the name of the figure. */
  readonly name: string
  readonly title: string
  /** What it shows, in one sentence, for those who do not see it. */
  readonly about: string
}

export type Bar = {
  readonly name: string
  readonly value: number
  readonly goal?: number
  /** Of a goal that is the most that is allowed. */
  readonly lessIsBetter?: boolean
}

/** One bar for each value, with a mark where its goal is. */
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

/** What one figure came to. It is kept as JSON, and the page is written from it. */
export type Report = {
  /** Sizes, connections and so on, in a sentence: the figures of one name differ in nothing else. */
  readonly setting: string
  readonly columns: readonly Column[]
  readonly rows: readonly Row[]
  readonly claims: readonly Claim[]
  /** What the summary on top of the page says beside the claims, such as `9 times as many logins as …`. */
  readonly headline?: string
  readonly charts?: readonly Chart[]
  /** What else the numbers say, in sentences that are made of them; reasons stand in `bench/notes`. */
  readonly notes?: readonly string[]
}

export function atLeast(what: string, goal: number, measured: Value, style: Style = {}): Claim {
  return { what, atLeast: goal, measured, ...style }
}

export function atMost(what: string, goal: number, measured: Value, style: Style = {}): Claim {
  return { what, atMost: goal, measured, ...style }
}

/** What was not measured is not reached. */
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

/** Columns and row of what is timed as a whole, in milliseconds. */
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

/** What the system does not tell is NaN while it is measured. */
export function known(value: number): Value {
  return Number.isNaN(value) ? null : value
}

/** The quotient that is left when only the server's own CPU time counts, whatever else the machine had to do. */
export function cpuNote(ours: Results<ServerTraffic>, bare: Results<ServerTraffic>): string {
  const quotient = ratio(bare, ours, (round) => round.cpuMicroseconds)
  return `${ours.name}: CPU time of bare Koa per CPU time of ours: ${quotient.toFixed(2)}`
}
