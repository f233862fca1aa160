import { ratio, type Results, type ServerTraffic } from './alternate.js'
import {
  atLeast,
  chartOfClaims,
  known,
  trafficRow,
  TRAFFIC_COLUMNS,
  type Claim,
  type Report,
} from './report.js'

/** A server beside its peer, measured in the same rounds. */
export type Comparison = {
  /** Such as `one pet of bare Koa`. */
  readonly name: string
  readonly ours: Results<ServerTraffic>
  readonly peer: Results<ServerTraffic>
  /** The least ratio of the requests per second of the server's CPU time. */
  readonly cpuGoal?: number
  /** The least ratio of the requests per second by the clock. */
  readonly clockGoal?: number
}

type Compared = {
  /** The name of the figure. */
  readonly figure: string
  /** The title of the chart. */
  readonly title: string
  readonly setting: string
  readonly comparisons: readonly Comparison[]
}

const ABOUT =
  'The ratio to the peer by CPU time of the server and by the clock, each with its goal if it has a goal.'

/**
 * The report of comparisons, with a chart of all ratios. A ratio with a goal is a claim, any other ratio a note. The first
 * claim of each comparison is in the summary.
 */
export function reportOf({ figure, title, setting, comparisons }: Compared): Report {
  const sides = new Set(comparisons.flatMap(({ ours, peer }) => [ours, peer]))
  const ratios = comparisons.flatMap(ratiosOf)
  return {
    setting,
    columns: TRAFFIC_COLUMNS,
    rows: Array.from(sides, trafficRow),
    claims: ratios.filter(hasGoal),
    notes: ratios
      .filter((one) => !hasGoal(one))
      .map(({ what, measured }) => `${what}: ${measured?.toFixed(2) ?? 'unknown'}`),
    charts: [chartOfClaims(ratios, { name: `${figure}-ratios`, title, about: ABOUT })],
  }
}

/** The ratios by CPU time and by the clock; a ratio without a goal is a claim without one. */
function ratiosOf({ name, ours, peer, cpuGoal, clockGoal }: Comparison): readonly Claim[] {
  const byCpu = `${name}, by CPU time`
  const byClock = `${name}, by the clock`
  const cpu = known(ratio(peer, ours, ({ cpuMicroseconds }) => cpuMicroseconds))
  const clock = ratio(ours, peer, ({ perSecond }) => perSecond)
  const isFirst = { byCpu: cpuGoal !== undefined, byClock: cpuGoal === undefined }
  return [ratioOf(byCpu, cpu, cpuGoal, isFirst.byCpu), ratioOf(byClock, clock, clockGoal, isFirst.byClock)]
}

function ratioOf(
  what: string,
  measured: Claim['measured'],
  goal: number | undefined,
  isShort: boolean,
): Claim {
  if (goal === undefined) return { what, measured }
  return atLeast(what, goal, measured, isShort ? { short: what } : {})
}

function hasGoal({ atLeast: goal }: Claim): boolean {
  return goal !== undefined
}
