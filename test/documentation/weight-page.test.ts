import { join } from 'node:path'
import { expect } from 'chai'
import { runScript } from '../support/project.js'

describe('the page of the weight', () => {
  it('equals the output of the script, from the code and the installed tree', async () => {
    const built = join(import.meta.dirname, '..', '..')
    const ending = await runScript('scripts/write-weight-tables.js', ['--check', built])
    expect(ending).to.deep.equal({ status: 0, lines: [''] })
  })
})
