import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { expect } from 'chai'
import { filesOf, PROJECT } from '../support/project.js'
import { CHECKERS } from '../withstand/checkers.js'
import { pageIn } from '../withstand/page/page.js'
import { readResults, resultsIn } from '../withstand/results.js'

describe('docs/contribute/withstanding.md', () => {
  it('is what the kept results and the notes give', async () => {
    const page = readFileSync(join(PROJECT, 'docs/contribute/withstanding.md'), 'utf8')
    expect(page, 'npm run withstand -- --page').to.equal(await pageIn(PROJECT))
  })

  it('has a note for each checker, and results of checkers that there are, without violations', () => {
    const names = CHECKERS.map(({ name }) => name)
    const notes = filesOf('test/withstand/notes').map((file) => basename(file, '.md'))
    expect(notes.sort()).to.deep.equal([...names, 'introduction', 'mutation'].sort())
    const results = readResults(resultsIn(PROJECT))
    expect(results.filter(({ checker }) => !names.includes(checker))).to.deep.equal([])
    expect(
      results.filter(({ violations, planted }) => violations > 0 || planted !== undefined),
    ).to.deep.equal([])
  })
})
