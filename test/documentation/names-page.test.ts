import { expect } from 'chai'
import { filesOf, textOf } from '../support/project.js'

type Manifest = { readonly exports: Readonly<Record<string, string | { readonly types: string }>> }

const names = (text: string) => Array.from(text.matchAll(/`([^`]+)`/g), ([, name = '']) => name)

/** The rows of one section of the page, without the table head. */
function rowsOf(title: string): string[][] {
  const part = textOf('docs/contribute/names.md').split(`\n## ${title}\n`)[1]?.split('\n## ')[0] ?? ''
  const rows = part.split('\n').filter((line) => line.startsWith('|'))
  return rows.slice(2).map((row) => row.split('|').slice(1, -1))
}

/** The exports of an entry of the package, from its declarations. */
function exportedBy(entry: string): readonly string[] {
  const { exports } = JSON.parse(textOf('package.json')) as Manifest
  const target = exports[entry.replace('kennel-id', '.')]
  if (typeof target !== 'object') throw new Error(`${entry} is no entry`)
  return (
    textOf(target.types)
      .replace(/\/\*.*?\*\//gs, '')
      .match(/\w+/g) ?? []
  )
}

describe('the page on changed names', () => {
  it('gives existing exports as replacements of removed exports', () => {
    const rows = rowsOf('Exports')
    expect(rows.length).to.be.greaterThan(5)
    for (const [was = '', is = '', entry = ''] of rows) {
      const exported = exportedBy(names(entry)[0] ?? '')
      expect(exported, is).to.include.members(names(is))
      expect(exported, was).to.not.include.members(names(was))
    }
  })

  it('gives existing members and options', () => {
    const rows = rowsOf('Methods, members and options')
    expect(rows.length).to.be.greaterThan(15)
    const declared = filesOf('dist/src').filter((file) => file.endsWith('.d.ts'))
    const words = new Set(declared.flatMap((file) => textOf(file).match(/\w+/g) ?? []))
    expect(rows.flatMap(([, , is = '']) => names(is)).filter((name) => !words.has(name))).to.deep.equal([])
  })
})
