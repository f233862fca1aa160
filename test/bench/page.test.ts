import { expect } from 'chai'
import { claimLine, numberOf, pageOf } from '../../bench/page.js'
import { atLeast, atMost, type Claim } from '../../bench/report.js'
import type { Result } from '../../bench/results.js'

const FIGURES = ['reads', 'start'].map((name) => ({
  ...{ name, title: `The ${name}` },
  measure: () => Promise.reject(new Error('no test measures')),
}))

function resultOf(figure: string, claims: readonly Claim[]): Result {
  const rows = [{ name: figure, values: [26_946.4, 1.06, null] }]
  return {
    ...{ figure, date: '2026-11-22', options: '--rounds 3', machine: 'Linux', busyCores: 1.26 },
    report: { setting: 'With 32 connections.', rows, claims },
  }
}

describe('the performance page', () => {
  it('counts the reached goals, and shows a table, the goals, the command and the machine load for each figure', () => {
    const claims = [atLeast('of bare Koa', 0.6, 0.46), atMost('memory', 140, 103, { unit: 'MiB', digits: 0 })]
    const { markdown } = pageOf(new Map([['reads', resultOf('reads', claims)]]), FIGURES)
    for (const text of [
      '1 of 2 goals are reached.',
      '## The reads\n\nWith 32 connections.',
      '| reads | 26,946 | 1.06 | – |',
      '- of bare Koa: **0.46** (MISSED, goal: at least 0.6)',
      '- memory: **103 MiB** (reached, goal: at most 140 MiB)',
      'Measured on 2026-11-22 by `reads --rounds 3`. The machine was BUSY: 1.3 cores were busy with other work.',
      '## The start\n\nThis figure has not been measured yet.',
    ])
      expect(markdown).to.contain(text)
  })

  it('never rounds a figure that misses its goal to the goal', () => {
    expect(claimLine(atLeast('ratio', 0.45, 0.4496))).to.equal(
      '- ratio: **0.4496** (MISSED, goal: at least 0.45)',
    )
    expect(claimLine(atMost('MiB', 140, 140.04, { digits: 0 }))).to.contain('**140.04** (MISSED, ')
    expect([285.04, 2.854, 0.0018, 0, null].map((value) => numberOf(value))).to.deep.equal([
      '285',
      '2.85',
      '0.00180',
      '0',
      '–',
    ])
  })
})
