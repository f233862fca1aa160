import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { VARIABLES } from '../../src/configuration/settings.js'
import { blocksOf } from '../support/pages/blocks.js'
import { filesOf, PROJECT } from '../support/project.js'

const KNOWN: readonly string[] = VARIABLES
const drawings = filesOf('docs/operate')
  .filter((file) => file.endsWith('.md'))
  .flatMap(blocksOf)
  .flatMap(({ page, language, text }) => (language === 'mermaid' ? [{ page, text }] : []))
const charts = drawings.filter(({ text }) => text.startsWith('flowchart '))

/** The ids at the ends of the arrows of a chart. */
const endsIn = (text: string) =>
  text
    .split('\n')
    .filter((line) => /-->|---/.test(line))
    .flatMap((line) => line.trim().split(/ (?:-- .*? )?(?:-->|---) /))
    .map((end) => /^\w+/.exec(end)?.[0] ?? end)

describe('the drawings of the pages on operation', () => {
  it('are of known kinds, and there are some', () => {
    const kinds = drawings.map(({ text }) => text.split(/\s/, 1)[0])
    expect(kinds.filter((kind) => !['flowchart', 'sequenceDiagram'].includes(kind ?? ''))).to.deep.equal([])
    expect([charts.length > 1, kinds.length > charts.length]).to.deep.equal([true, true])
  })

  it('name only existing settings and files', () => {
    const names = drawings.flatMap(({ text }) => text.match(/\b[A-Z]+(?:_[A-Z]+)+\b/g) ?? [])
    expect(names.filter((name) => !KNOWN.includes(name))).to.deep.equal([])
    const files = drawings.flatMap(({ text }) => text.match(/\bkennel\.[a-z]+/g) ?? [])
    expect([names.length > 1, files.length > 0]).to.deep.equal([true, true])
    expect(files.filter((file) => !existsSync(join(PROJECT, 'docs/operate/files', file)))).to.deep.equal([])
  })

  it('close every frame, and have a label for both ends of each arrow', () => {
    for (const { page, text } of charts) {
      const count = (word: RegExp) => text.match(word)?.length ?? 0
      expect(count(/^ *subgraph /gm), page).to.equal(count(/^ *end$/gm))
      const labelled = new Set(Array.from(text.matchAll(/(\w+)(?=[[({])/g), ([id]) => id))
      const ends = endsIn(text)
      expect(ends.length, page).to.be.greaterThan(5)
      expect(
        ends.filter((id) => !labelled.has(id)),
        page,
      ).to.deep.equal([])
    }
  })
})
