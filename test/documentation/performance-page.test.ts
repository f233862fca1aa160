import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { FIGURES } from '../../bench/figures.js'
import { chartsIn, filesOfPage, resultsIn } from '../../bench/page.js'
import { readResults } from '../../bench/results.js'
import { PROJECT, textOf } from '../support/project.js'

const AGAIN = 'npm run bench -- --page'
const WORDS_MAX = 2_000

describe('docs/contribute/performance.md', () => {
  it('matches the stored results and charts', async () => {
    const files = await filesOfPage(PROJECT)
    const differing = Array.from(files)
      .filter(([file, text]) => !existsSync(join(PROJECT, file)) || textOf(file) !== text)
      .map(([file]) => file)
    expect(differing, AGAIN).to.deep.equal([])
    expect(chartsIn(PROJECT).filter((file) => !files.has(file))).to.deep.equal([])
    expect(files.size).to.equal(3)
    expect(textOf('docs/contribute/performance.md').split(/\s+/).length).to.be.most(WORDS_MAX)
  })

  it('has a stored result for each figure', () => {
    const names = FIGURES.map(({ name }) => name)
    expect([...readResults(resultsIn(PROJECT)).keys()]).to.have.members(names)
  })
})
