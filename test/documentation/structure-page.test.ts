import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { PROJECT, textOf } from '../support/project.js'

const PAGE = 'docs/contribute/structure.md'

describe('the page on the source structure', () => {
  const page = textOf(PAGE)

  it('describes every source folder, and describes no folder that does not exist', () => {
    const named = Array.from(page.matchAll(/^\| `src\/([a-z-]+)[^`]*`/gm), ([, folder = '']) => folder)
    const folders = readdirSync(join(PROJECT, 'src'), { withFileTypes: true }).filter((one) =>
      one.isDirectory(),
    )
    expect([...new Set(named)].sort()).to.deep.equal(folders.map(({ name }) => name).sort())
  })
})
