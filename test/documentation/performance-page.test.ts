import { existsSync } from 'node:fs'
import { basename, join } from 'node:path'
import { expect } from 'chai'
import { FIGURES } from '../../bench/figures.js'
import { chartsIn, filesOfPage, resultsIn } from '../../bench/page/write-page.js'
import { readResults } from '../../bench/results.js'
import { filesOf, PROJECT, textOf } from '../support/project.js'

const NAMES = FIGURES.map(({ name }) => name)
const AGAIN = 'npm run bench -- --page'

describe('docs/contribute/performance.md', () => {
  it('matches the kept results and the notes, with its charts', async () => {
    const files = await filesOfPage(PROJECT)
    const differing = Array.from(files).filter(
      ([file, text]) => !existsSync(join(PROJECT, file)) || textOf(file) !== text,
    )
    expect(
      differing.map(([file]) => file),
      AGAIN,
    ).to.deep.equal([])
    expect(
      chartsIn(PROJECT).filter((file) => !files.has(file)),
      AGAIN,
    ).to.deep.equal([])
    expect(files.size).to.be.greaterThan(4)
  })

  it('has results and notes of existing figures only', () => {
    const results = readResults(resultsIn(PROJECT))
    const notes = filesOf('bench/notes').filter((file) => !file.startsWith('bench/notes/page/'))
    expect([results.size > 10, notes.length > 10]).to.deep.equal([true, true])
    const named = [...results.keys(), ...notes.map((file) => basename(file, '.md'))]
    expect(named.filter((name) => !NAMES.includes(name))).to.deep.equal([])
  })

  it('has a figure for each file that measures one', () => {
    const files = filesOf('bench/figures').filter((file) => file.endsWith('.ts'))
    expect(files.map((file) => basename(file, '.ts')).sort()).to.deep.equal([...NAMES].sort())
  })

  it('begins with at most ten lines, and names each chart after its figure', async () => {
    const page = textOf('docs/contribute/performance.md')
    const summary = page.slice(0, page.indexOf('\n<picture>')).split('\n')
    expect(summary.filter((line) => line.startsWith('- ')).length).to.be.within(5, 10)
    const charts = [...readResults(resultsIn(PROJECT)).values()].flatMap(({ figure, report }) =>
      (report.charts ?? []).map(({ name }) => ({ name, isNamed: name.startsWith(figure) })),
    )
    expect(charts.filter(({ isNamed }) => !isNamed)).to.deep.equal([])
    expect(new Set(charts.map(({ name }) => name)).size).to.equal(charts.length)
  })
})
