import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import type { Figure } from '../../bench/figures.js'
import { measureAll } from '../../bench/measure-all.js'
import type { Report } from '../../bench/report.js'
import { readResults } from '../../bench/results.js'
import { withPlanted } from '../support/project.js'
import { figureOf, resultOf } from './results-of.js'

const REPORT: Report = {
  setting: 'Here.',
  columns: [{ name: 'ms' }],
  rows: [{ name: 'a', values: [1] }],
  claims: [],
}
const OLD = resultOf('broken', [], { date: '2026-01-01' })
const good = figureOf('good', { measure: () => Promise.resolve(REPORT) })
const broken = figureOf('broken', {
  measure: () => Promise.reject(new Error('no peer', { cause: new Error('no network') })),
})

async function measured(
  figures: readonly Figure[],
  rest: { keep?: boolean; json?: boolean; quick?: boolean } = {},
) {
  const { keep = true, json = false, quick = false } = rest
  const files = {
    'package.json': '{}',
    'bench/results/broken.json': JSON.stringify(OLD),
    'docs/contribute/performance.md': 'as it was',
    'docs/contribute/performance/gone.light.svg': '',
  }
  const said = { results: '', messages: '' }
  const into = (name: keyof typeof said) => ({ write: (text: string) => (said[name] += text) })
  const leftOut = [figureOf('mongodb-reads')]
  const wanted = { kind: 'measure', figures, leftOut, run: { quick }, keep, json } as const
  return await withPlanted(files, async (folder) => {
    const outputs = { results: into('results'), messages: into('messages') }
    const failed = await measureAll(wanted, folder, outputs)
    const page = readFileSync(join(folder, 'docs/contribute/performance.md'), 'utf8')
    return { failed, ...said, kept: readResults(join(folder, 'bench/results')), page }
  })
}

describe('measuring figures', () => {
  it('continues after a failed figure, reports the error, and keeps the earlier result', async () => {
    const { failed, messages, results, kept } = await measured([broken, good])
    expect(failed).to.equal(1)
    expect(messages).to.match(/broken FAILED: Error: no peer\n[^]*because of Error: no network/)
    expect(results).to.contain('## The good\n\nHere.').and.not.contain('## The broken')
    expect(kept.get('broken')).to.deep.equal(OLD)
    expect(kept.get('good')).to.deep.include({ figure: 'good', report: REPORT })
  })

  it('lists the figures that were skipped without MongoDB', async () => {
    const { failed, messages } = await measured([])
    expect([failed, messages]).to.deep.equal([
      0,
      'mongodb-reads not measured: set MONGODB_URL, or MONGOMS_SYSTEM_BINARY to the path of a mongod.\n',
    ])
  })

  it('writes the page from the kept results, or changes neither', async () => {
    expect((await measured([good])).page).to.match(/^# Performance\n/)
    const { kept, page } = await measured([good], { keep: false, quick: true })
    expect([[...kept.keys()], page]).to.deep.equal([['broken'], 'as it was'])
  })

  it('prints a line of JSON for each result on request', async () => {
    const { results } = await measured([good, good], { json: true })
    const lines = results
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as object)
    expect(lines).to.have.length(2)
    expect(lines[0]).to.include({ figure: 'good' })
  })
})
