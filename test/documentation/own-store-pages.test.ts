import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import * as contracts from '../../src/contracts/index.js'
import { PROJECT, runScript } from '../support/project.js'
import { blocksOf } from '../support/pages/blocks.js'

const { lawsOf, copyableRecordLaws, storeLaws } = contracts
/** The laws of parts other than a store, by the name of their export. */
const PART_LAWS = {
  hasherLaws: contracts.hasherLaws,
  mailerLaws: contracts.mailerLaws,
  metricsLaws: contracts.metricsLaws,
  passwordBlocklistLaws: contracts.passwordBlocklistLaws,
  sessionKeysLaws: contracts.sessionKeysLaws,
  tokenFormatLaws: contracts.tokenFormatLaws,
}

const PORTS_PAGE = 'docs/embed/store-ports.md'
const LAWS_PAGE = 'docs/embed/run-laws.md'
/** The files of the example that the page shows. */
const SHOWN = ['laws.test.js', 'laws.mocha.js', 'laws.vitest.js']
/** The built project, so that the script reads the laws that were compiled with this test. */
const BUILT = join(import.meta.dirname, '..', '..')

describe('the pages on custom stores', () => {
  it('show the files of the example, word for word', () => {
    const blocks = blocksOf(LAWS_PAGE).filter(({ language }) =>
      SHOWN.some((file) => language === `js ${file}`),
    )
    expect(blocks.map(({ language }) => language)).to.deep.equal(SHOWN.map((file) => `js ${file}`))
    for (const [index, { text }] of blocks.entries()) {
      const file = join(PROJECT, 'examples', 'custom-store', SHOWN[index] ?? '')
      expect(text).to.equal(readFileSync(file, 'utf8'))
    }
  })

  it('have a row for every port that has laws', () => {
    const members = Array.from(
      readFileSync(PORTS_PAGE, 'utf8').matchAll(/^\| `((?!\w+Laws`)\w+)` +\|/gm),
      ([, name]) => name,
    )
    const ports = new Set([...storeLaws, ...copyableRecordLaws].map(({ port }) => port))
    expect(new Set<string>(['store', ...members.map(String)])).to.deep.equal(ports)
  })

  it('have a row for every part that has laws, and for all exported laws', () => {
    const rows = Array.from(
      readFileSync(LAWS_PAGE, 'utf8').matchAll(/^\| `(\w+Laws)` +\|/gm),
      ([, name]) => name,
    )
    expect(rows.toSorted()).to.deep.equal(Object.keys(PART_LAWS))
    const exported = Object.keys(contracts).filter((name) => name.endsWith('Laws'))
    expect(exported.toSorted()).to.deep.equal([...rows, 'copyableRecordLaws', 'storeLaws'].toSorted())
  })
})

describe('the page of the laws', () => {
  it('has every law with its purpose, by port, and no other', () => {
    const sections = readFileSync('docs/embed/laws.md', 'utf8')
      .split(/^## `(\w+)`$/m)
      .slice(1)
    const shown = sections.flatMap((part, index) =>
      index % 2 === 0 ? rowsOf(sections[index + 1] ?? '').map((row) => [part, ...row]) : [],
    )
    expect(shown.length).to.be.above(200)
    const all = [...storeLaws, ...copyableRecordLaws, ...Object.values(PART_LAWS).flat()]
    const laws = all.map(({ port, name, protects }) => [port, name, protects])
    expect(shown.toSorted(byText)).to.deep.equal(laws.toSorted(byText))
  })

  it('equals the output of the script', async () => {
    const ending = await runScript('scripts/write-law-table.js', ['--check', BUILT])
    expect(ending).to.deep.equal({ status: 0, lines: [''] })
  })
})

describe('the laws of one port', () => {
  it('are all laws that name the port, in order', () => {
    const all = [...storeLaws, ...copyableRecordLaws]
    for (const port of new Set(all.map((law) => law.port))) {
      expect(lawsOf(port)).to.deep.equal(all.filter((law) => law.port === port))
    }
  })

  it('are never empty', () => {
    expect(() => lawsOf('session' as contracts.Law['port'])).to.throw(
      TypeError,
      'there are no laws of a port "session"',
    )
  })
})

/** The cells of each row below the head, without Markdown escapes. */
function rowsOf(section: string): string[][] {
  const lines = section.split('\n').filter((line) => line.startsWith('|'))
  const cells = (line: string) => line.slice(1, -1).split(/(?<!\\)\|/)
  return lines.slice(2).map((line) => cells(line).map((cell) => cell.trim().replace(/\\([^\w\s])/g, '$1')))
}

function byText(one: readonly string[], other: readonly string[]): number {
  return one.join('\n') < other.join('\n') ? -1 : 1
}
