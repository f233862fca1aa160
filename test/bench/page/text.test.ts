import { expect } from 'chai'
import { claimLine, numberOf, tableOf } from '../../../bench/page/text.js'
import { atLeast, atMost, isReached } from '../../../bench/report.js'

describe('the text of a report', () => {
  it('writes numbers with their digits, or three significant digits, and commas', () => {
    expect([285.04, 2.854, 0.0018, 10_000_000, 0, null].map((value) => numberOf(value))).to.deep.equal([
      '285',
      '2.85',
      '0.00180',
      '10,000,000',
      '0',
      '–',
    ])
    expect([numberOf(1.5, 0), numberOf(0.5, 2), numberOf(NaN, 2)]).to.deep.equal(['2', '0.50', '–'])
  })

  it('has a row for each side, and a dash for an unknown value', () => {
    const columns = [{ name: 'requests/s', digits: 0 }, { name: 'p50 ms' }]
    const rows = [
      { name: 'reads', values: [26_946.4, 1.06] },
      { name: 'bare', values: [57_542, null] },
    ]
    expect(tableOf({ columns, rows }).split('\n')).to.deep.equal([
      '|  | requests/s | p50 ms |',
      '| --- | ---: | ---: |',
      '| reads | 26,946 | 1.06 |',
      '| bare | 57,542 | – |',
    ])
  })

  it('shows for each claim its goal, the measured value and whether the goal is reached', () => {
    const claims = [
      atLeast('of bare Koa', 0.45, 0.461),
      atLeast('of bare Koa', 0.45, 0.32),
      atMost('peak memory', 140, 163.4, { unit: 'MiB', digits: 0 }),
      atLeast('accounts a second', 20_000, 50_886.2, { digits: 0 }),
      atLeast('by four workers', 3.8, null),
      atLeast('on Bun', 1, null, { unmeasured: 'no Bun' }),
    ]
    expect(claims.map(claimLine)).to.deep.equal([
      '- of bare Koa, at least 0.45: **0.46** (reached)',
      '- of bare Koa, at least 0.45: **0.32** (NOT reached)',
      '- peak memory, at most 140 MiB: **163 MiB** (NOT reached)',
      '- accounts a second, at least 20,000: **50,886** (reached)',
      '- by four workers, at least 3.8: **not measured** (NOT reached)',
      '- on Bun, at least 1: **not measured: no Bun** (NOT reached)',
    ])
  })

  it('never rounds a missed goal up to the goal', () => {
    expect(claimLine(atLeast('of bare Koa', 0.45, 0.4496))).to.equal(
      '- of bare Koa, at least 0.45: **0.4496** (NOT reached)',
    )
    expect(claimLine(atMost('MiB', 140, 140.04, { digits: 0 }))).to.equal(
      '- MiB, at most 140: **140.04** (NOT reached)',
    )
  })

  it('counts an exact match as reached, and a missing measurement as not reached', () => {
    expect(
      [atLeast('', 1, 1), atMost('', 1, 1), atMost('', 2, 2.1), atLeast('', 0, null)].map(isReached),
    ).to.deep.equal([true, true, false, false])
  })
})
