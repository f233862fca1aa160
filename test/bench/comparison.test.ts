import { expect } from 'chai'
import type { Results, ServerTraffic } from '../../bench/alternate.js'
import { reportOf, type Comparison } from '../../bench/comparison.js'

function side(name: string, rounds: readonly (readonly [perSecond: number, cpu: number])[]) {
  const of = ([perSecond, cpuMicroseconds]: readonly [number, number]): ServerTraffic => ({
    ...{ count: 100, perSecond, p50: 1, p99: 2 },
    cpuMicroseconds,
  })
  return { name, rounds: rounds.map(of) } satisfies Results<ServerTraffic>
}

const PEER = side('bare', [
  [1_000, 20],
  [2_000, 20],
  [4_000, 30],
])
const OURS = side('reads', [
  [500, 25],
  [500, 40],
  [2_000, 40],
])

function reportWith(...goals: readonly Pick<Comparison, 'cpuGoal' | 'clockGoal'>[]) {
  const comparisons = goals.map((goal, index) => ({
    name: `reads ${index}`,
    ours: OURS,
    peer: PEER,
    ...goal,
  }))
  return reportOf({ figure: 'reads', title: 'Reads', setting: 'Here.', comparisons })
}

describe('the report of a comparison', () => {
  it('claims the medians of the ratios by CPU time and by the clock, the first of them in the summary', () => {
    const { claims } = reportWith({ cpuGoal: 0.8, clockGoal: 0.4 })
    expect(claims).to.deep.equal([
      {
        what: 'reads 0, by CPU time',
        atLeast: 0.8,
        measured: 0.75,
        short: 'reads 0, by CPU time',
      },
      { what: 'reads 0, by the clock', atLeast: 0.4, measured: 0.5 },
    ])
  })

  it('reports a ratio without a goal in a note, and summarizes the clock ratio if only that ratio has a goal', () => {
    const [byCpu, byClock] = [{ cpuGoal: 0.8 }, { clockGoal: 0.4 }].map((goal) => reportWith(goal))
    expect(byCpu?.notes).to.deep.equal(['reads 0, by the clock: 0.50'])
    expect(byClock?.notes).to.deep.equal(['reads 0, by CPU time: 0.75'])
    expect(byClock?.claims.map(({ short }) => short)).to.deep.equal(['reads 0, by the clock'])
  })

  it('has a row for each side once, and a bar for each ratio', () => {
    const { rows, charts } = reportWith({ cpuGoal: 0.8 }, { clockGoal: 0.4 })
    expect(rows.map(({ name, values }) => [name, ...values])).to.deep.equal([
      ['reads', 500, 1, 2, 40],
      ['bare', 2_000, 1, 2, 20],
    ])
    expect(charts?.map(({ name, ...chart }) => [name, chart.kind === 'bars' && chart.bars])).to.deep.equal([
      [
        'reads-ratios',
        [
          { name: 'reads 0, by CPU time', value: 0.75, goal: 0.8, lessIsBetter: false },
          { name: 'reads 0, by the clock', value: 0.5 },
          { name: 'reads 1, by CPU time', value: 0.75 },
          { name: 'reads 1, by the clock', value: 0.5, goal: 0.4, lessIsBetter: false },
        ],
      ],
    ])
  })

  it('measures no ratio by CPU time if the system does not provide it', () => {
    const unknown = side('bare', [[1_000, NaN]])
    const comparisons = [{ name: 'reads', ours: OURS, peer: unknown, cpuGoal: 0.8 }]
    const { claims, charts } = reportOf({ figure: 'reads', title: 'Reads', setting: 'Here.', comparisons })
    expect(claims.map(({ measured }) => measured)).to.deep.equal([null])
    expect(charts?.map((chart) => chart.kind === 'bars' && chart.bars.length)).to.deep.equal([1])
  })
})
