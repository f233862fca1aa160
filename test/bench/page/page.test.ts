import { expect } from 'chai'
import { pageOf, sectionOf } from '../../../bench/page/page.js'
import { atLeast, atMost } from '../../../bench/report.js'
import type { Result } from '../../../bench/results.js'
import { plant } from '../../support/project.js'
import { BARS } from '../charts-of.js'
import { figureOf, resultOf } from '../results-of.js'

const FIGURES = [figureOf('reads'), figureOf('writes'), figureOf('start', { group: 'Start' })]
const READS = resultOf('reads', [
  atLeast('of bare Koa', 0.45, 0.463, { short: 'reads of bare Koa' }),
  atMost('peak memory', 140, 163, { unit: 'MiB', digits: 0, short: 'memory' }),
  atLeast('without a short name', 1, 2),
])
const WORKERS = resultOf('writes', [
  atLeast('of one', 3.8, 3.9, { short: 'four workers' }),
  atLeast('of bare Koa', 1.2, 0.9, { short: 'few sessions' }),
])
const START = resultOf('start', [atMost('per empty process', 9, 18.2, { short: 'start per empty process' })])

function pageFrom(results: readonly Result[], notes: Readonly<Record<string, string>> = {}) {
  const tree = plant({ 'page/introduction.md': '> Starts from: here.\n', ...notes })
  try {
    return pageOf(new Map(results.map((one) => [one.figure, one])), tree.folder, FIGURES)
  } finally {
    tree.remove()
  }
}

describe('the page on performance', () => {
  it('begins with a summary: a count, and a line for each group of claims with a short name', () => {
    const { markdown } = pageFrom([READS, START])
    const lines = markdown.split('\n').filter((line) => line.startsWith('- '))
    expect(lines.slice(0, 3)).to.deep.equal([
      '- 2 of 4 goals are reached; each figure below has its own goals.',
      '- **Reads**: reads of bare Koa **0.46** (goal at least 0.45: reached); memory **163 MiB** (goal at most 140 MiB: NOT reached)',
      '- **Start**: start per empty process **18.20** (goal at most 9: NOT reached)',
    ])
  })

  it('draws ratios to a peer, but no ratio of several workers, and maximum ratios as multiples', () => {
    const { charts, markdown } = pageFrom([READS, WORKERS, START])
    expect([...charts.keys()]).to.deep.equal(
      ['ratios', 'multiples'].flatMap((name) => [`${name}.light.svg`, `${name}.dark.svg`]),
    )
    expect(charts.get('ratios.light.svg'))
      .to.contain('0.46 (goal 0.45)')
      .and.contain('0.90 (goal 1.2)')
      .and.not.match(/memory|workers/)
    expect(charts.get('multiples.dark.svg')).to.contain('18.2 (goal 9)')
    expect(markdown).to.contain('srcset="performance/multiples.dark.svg"')
  })

  it('has for each figure its setting, table, claims, charts, command and notes', () => {
    const result = resultOf('reads', READS.report.claims, { told: { charts: [BARS], notes: ['A sentence'] } })
    const { markdown, charts } = pageFrom([result], { 'reads.md': 'Why it is so.\n' })
    const section = markdown.slice(markdown.indexOf('## The reads'), markdown.indexOf('## The writes'))
    const parts = [
      'With 32 connections.',
      '| reads | 26,946 | 1.06 |',
      '- of bare Koa, at least 0.45: **0.46** (reached)',
      '- A sentence',
      '<picture>',
      'Measured on 2026-11-22 by `npm run bench -- reads`.',
      'Why it is so.',
    ]
    const places = parts.map((part) => section.indexOf(part))
    expect(
      places.every((place, index) => place > (places[index - 1] ?? 0)),
      section,
    ).to.equal(true)
    expect(charts.has('reads-ratios.dark.svg')).to.equal(true)
  })

  it('says which figure was not measured yet, and keeps its notes', () => {
    const { markdown } = pageFrom([READS], { 'writes.md': 'They wait.\n' })
    expect(markdown).to.contain('## The writes\n\nNot measured yet.\n\nThey wait.')
  })

  it('names the machine once, and again for a figure measured elsewhere', () => {
    const elsewhere = resultOf('writes', [], { versions: { Node: '20.20.2' } })
    const { markdown } = pageFrom([READS, elsewhere, START])
    expect(markdown.match(/Node 24\.1\.0/g)).to.have.length(1)
    expect(markdown.slice(markdown.indexOf('## The writes'))).to.contain('Node 20.20.2')
  })

  it('names the options that differ from the default, and says if the machine was busy', () => {
    const rough = resultOf('reads', [], { quick: true, rounds: 1, seconds: 2, busyCores: 1.26 })
    expect(sectionOf(FIGURES[0]!, rough)).to.contain(
      'by `npm run bench -- reads --quick --rounds 1 --seconds 2`. The machine was BUSY: 1.3 of 2 cores had other work before.',
    )
  })

  it('names the MongoDB version if the figure uses MongoDB', () => {
    expect(sectionOf(FIGURES[0]!, resultOf('reads', [], { mongodb: '6.0.5' }))).to.contain(
      'reads` with MongoDB 6.0.5.',
    )
  })

  it('changes only the section of a figure that was measured again, and the summary', () => {
    const [before, after] = [START, resultOf('start', [atMost('per empty process', 9, 8)])].map(
      (start) => pageFrom([READS, start]).markdown.split('## The start')[0]?.split('## Machine')[1],
    )
    expect(after).to.equal(before)
  })
})
