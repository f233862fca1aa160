import { expect } from 'chai'
import type { ServerTraffic } from '../../bench/load/traffic.js'
import { atLeast, atMost, isReached, reportOf } from '../../bench/report.js'
import type { Results } from '../../bench/run.js'

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

describe('the report of a comparison', () => {
  it('contains the median ratios over all rounds, with their goals', () => {
    const report = reportOf('Here.', [
      { name: 'reads', ours: OURS, peer: PEER, cpuGoal: 0.8, clockGoal: 0.4 },
    ])
    expect(report.claims).to.deep.equal([
      { what: 'reads', atLeast: 0.8, measured: 0.75 },
      { what: 'reads, in wall-clock time', atLeast: 0.4, measured: 0.5 },
    ])
    expect(report.rows.map(({ name, values }) => [name, ...values])).to.deep.equal([
      ['reads', 500, 2, 40],
      ['bare', 2_000, 2, 20],
    ])
  })

  it('counts an exact match as reached, and a missing measurement as missed', () => {
    const claims = [atLeast('', 1, 1), atMost('', 1, 1), atMost('', 2, 2.1), atLeast('', 0, NaN)]
    expect(claims.map(isReached)).to.deep.equal([true, true, false, false])
  })
})
