import { join } from 'node:path'
import { expect } from 'chai'
import { plant, runScript, type Ending } from './project.js'

type Counts = { readonly passes: number; readonly failures: number; readonly pending: readonly string[] }

/** How the count ends for a run with this report; without one, for a run that left none. */
async function countOf(counts?: Counts): Promise<Ending> {
  const tree = plant(counts ? { 'mocha.json': report(counts) } : {})
  try {
    return await runScript('scripts/count-tests.js', [join(tree.folder, 'mocha.json')])
  } finally {
    tree.remove()
  }
}

function report({ passes, failures, pending }: Counts): string {
  const stats = { passes, failures, pending: pending.length }
  return JSON.stringify({ stats, pending: pending.map((fullTitle) => ({ fullTitle })) })
}

describe('the count of tests', () => {
  it('is well where all have passed', async () => {
    const ending = await countOf({ passes: 3, failures: 0, pending: [] })
    expect(ending).to.deep.equal({ status: 0, lines: ['3 passed, 0 failed'] })
  })

  it('is bad where one has failed', async () => {
    const ending = await countOf({ passes: 3, failures: 1, pending: [] })
    expect(ending).to.deep.equal({ status: 1, lines: ['3 passed, 1 failed'] })
  })

  it('is bad where one was skipped, and names it', async () => {
    const ending = await countOf({ passes: 3, failures: 0, pending: ['a store far away'] })
    expect(ending.status).to.equal(1)
    expect(ending.lines).to.deep.equal(['skipped: a store far away', '3 passed, 0 failed, 1 skipped'])
  })

  it('is bad where none ran', async () => {
    const ending = await countOf({ passes: 0, failures: 0, pending: [] })
    expect(ending).to.deep.equal({ status: 1, lines: ['no test has passed', '0 passed, 0 failed'] })
  })

  it('is bad where there is no report', async () => {
    expect((await countOf()).status).to.equal(1)
  })
})
