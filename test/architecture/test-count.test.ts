import { join } from 'node:path'
import { expect } from 'chai'
import { plant, runScript, type Ending } from '../support/project.js'

type Counts = { readonly passes: number; readonly failures: number; readonly pending: readonly string[] }

/** The result of the count for runs with these reports; `undefined` is a run without a report. */
async function countOf(...runs: readonly (Counts | undefined)[]): Promise<Ending> {
  const names = runs.map((_counts, run) => `run-${run}.json`)
  const left = runs.flatMap((counts, run) => (counts ? [[names[run], report(counts)]] : []))
  const tree = plant(Object.fromEntries(left) as Record<string, string>)
  try {
    const paths = names.map((name) => join(tree.folder, name))
    return await runScript('scripts/test-reports.js', paths)
  } finally {
    tree.remove()
  }
}

function report({ passes, failures, pending }: Counts): string {
  const stats = { passes, failures, pending: pending.length }
  const failed = { fullTitle: 'a store that fails', err: { stack: 'AssertionError: no' } }
  return JSON.stringify({
    stats,
    pending: pending.map((fullTitle) => ({ fullTitle })),
    failures: Array.from({ length: failures }, () => failed),
  })
}

const failedIn = (report: string) => [`failed: a store that fails (${report})`, '  AssertionError: no']

describe('the count of tests', () => {
  it('succeeds if all tests have passed', async () => {
    const ending = await countOf({ passes: 3, failures: 0, pending: [] })
    expect(ending).to.deep.equal({ status: 0, lines: ['3 passed, 0 failed'] })
  })

  it('fails if a test has failed, and prints the numbers', async () => {
    const ending = await countOf({ passes: 3, failures: 1, pending: [] })
    expect(ending).to.deep.equal({ status: 1, lines: [...failedIn('run-0.json'), '3 passed, 1 failed'] })
  })

  it('fails if a test was skipped, and names the test', async () => {
    const ending = await countOf({ passes: 3, failures: 0, pending: ['a store far away'] })
    expect(ending.status).to.equal(1)
    expect(ending.lines).to.deep.equal(['skipped: a store far away', '3 passed, 0 failed, 1 skipped'])
  })

  it('fails if no test ran', async () => {
    const ending = await countOf({ passes: 0, failures: 0, pending: [] })
    expect(ending).to.deep.equal({
      status: 1,
      lines: ['no test has passed in run-0.json', '0 passed, 0 failed'],
    })
  })

  it('fails if there is no report', async () => {
    expect((await countOf(undefined)).status).to.equal(1)
  })

  it('adds up two runs', async () => {
    const ending = await countOf(
      { passes: 3, failures: 0, pending: [] },
      { passes: 2, failures: 0, pending: [] },
    )
    expect(ending).to.deep.equal({ status: 0, lines: ['5 passed, 0 failed'] })
  })

  it('fails if either of two runs fails', async () => {
    const good = { passes: 3, failures: 0, pending: [] }
    expect((await countOf(good, undefined)).status).to.equal(1)
    const failed = await countOf(good, { passes: 1, failures: 1, pending: ['a store far away'] })
    expect(failed).to.deep.equal({
      status: 1,
      lines: [...failedIn('run-1.json'), 'skipped: a store far away', '4 passed, 1 failed, 1 skipped'],
    })
  })
})
