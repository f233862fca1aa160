import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { plant } from '../support/project.js'
import type { Wanted } from './command-line.js'
import { madeUp, trialOf, WELL } from './made-up.js'
import { readResults, resultsIn } from './results.js'
import { tryAll } from './try-all.js'

const well = madeUp(() => WELL).checker
const bad = madeUp(() => ({ ...WELL, violations: ['the end came late'] }), { name: 'bad' }).checker
const TRIALS = [trialOf(bad, { rounds: 1, store: 'sqlite' }), trialOf(well, { rounds: 2 })]

async function tried(rest: Partial<Wanted & { kind: 'try' }> = {}) {
  const tree = plant({ 'package.json': '{}', 'docs/contribute/withstanding.md': 'as it was' })
  mkdirSync(join(tree.folder, 'test/withstand/results'), { recursive: true })
  const said = { results: '', messages: '' }
  const into = (name: keyof typeof said) => ({ write: (text: string) => (said[name] += text) })
  try {
    const wanted = { kind: 'try', trials: TRIALS, leftOut: [], keep: false, json: false, ...rest } as const
    const stopped = new AbortController().signal
    const outputs = { results: into('results'), messages: into('messages') }
    const violations = await tryAll(wanted, { project: tree.folder, ...outputs, stopped })
    const page = readFileSync(join(tree.folder, 'docs/contribute/withstanding.md'), 'utf8')
    return { violations, ...said, kept: readResults(resultsIn(tree.folder)), page }
  } finally {
    tree.remove()
  }
}

describe('trying all checkers', () => {
  it('ends with a table, and counts what was not allowed', async () => {
    const { violations, results } = await tried()
    expect(violations).to.equal(1)
    expect(results.split('\n').map((line) => line.split(/ {2,}/).join(' | '))).to.deep.equal([
      'checker | store | histories | operations | faults | violations | undecided | minutes | seed',
      'bad | sqlite | 2 | 10 | 1 | 1 | 0 | 0 | 7',
      'made-up | memory | 4 | 20 | 2 | 0 | 0 | 0 | 7',
      '',
    ])
  })

  it('tells of each violation with the command that repeats it', async () => {
    const { messages } = await tried({ trials: [trialOf(bad, { rounds: 1, planted: 'late' })] })
    expect(messages).to.contain('VIOLATION, bad on memory\nthe end came late\n')
    expect(messages).to.contain('npm run withstand -- bad --store memory --seed 7 --rounds 1 --planted late')
  })

  it('says what is left out', async () => {
    const { messages } = await tried({ trials: [], leftOut: ['network is left out.'] })
    expect(messages).to.equal('network is left out.\n')
  })

  it('gives a line of JSON for each result', async () => {
    const { results } = await tried({ json: true })
    const lines = results.trim().split('\n')
    const read = lines.map((line) => JSON.parse(line) as Record<string, unknown>)
    expect(read.map(({ checker, violations }) => [checker, violations])).to.deep.equal([
      ['bad', 1],
      ['made-up', 0],
    ])
  })

  it('keeps results only where it is asked to, and writes the page', async () => {
    const left = await tried()
    expect([left.kept, left.page]).to.deep.equal([[], 'as it was'])
    const { kept, page } = await tried({ keep: true })
    expect(kept.map(({ checker, store, rounds }) => [checker, store, rounds])).to.deep.equal([
      ['bad', 'sqlite', 1],
      ['made-up', 'memory', 2],
    ])
    expect(page).to.match(/^# Withstanding\n/)
  })
})
