import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { PROJECT, runScript } from '../support/project.js'

const BUILT = join(import.meta.dirname, '..', '..')

describe('the page of the entries', () => {
  it('equals the output of the script, from the package and its declarations', async () => {
    const ending = await runScript('scripts/write-entry-tables.js', ['--check', BUILT])
    expect(ending).to.deep.equal({ status: 0, lines: [''] })
  })

  it('has a heading for each entry that a program may import', () => {
    const { exports } = JSON.parse(readFileSync(join(PROJECT, 'package.json'), 'utf8')) as { exports: object }
    const page = readFileSync(join(PROJECT, 'docs/embed/entries.md'), 'utf8')
    const headings = Array.from(page.matchAll(/^## `(.*)`$/gm), ([, name]) => name)
    const entries = Object.keys(exports).filter((entry) => entry !== './package.json')
    expect(headings).to.deep.equal(entries.map((entry) => join('kennel-id', entry)))
  })
})
