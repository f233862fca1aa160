import { expect } from 'chai'
import { runScript } from '../support/project.js'

describe('the page of the decisions', () => {
  it('has every record, and equals the output of the script', async () => {
    expect(await runScript('scripts/write-decisions.js', ['--check'])).to.deep.equal({
      status: 0,
      lines: [''],
    })
  })
})
