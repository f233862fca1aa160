import { join } from 'node:path'
import { expect } from 'chai'
import { runScript, withPlanted, type Ending } from '../support/project.js'

type Counts = { readonly passes: number; readonly failures: number; readonly pending: readonly string[] }

/** Counts the tests in these reports; `undefined` stands for a run that wrote no report. */
async function countOf(...runs: readonly (Counts | undefined)[]): Promise<Ending> {
  const names = runs.map((_counts, run) => `run-${run}.json`)
  const left = runs.flatMap((counts, run) => (counts ? [[names[run], report(counts)]] : []))
  return await withPlanted(Object.fromEntries(left) as Record<string, string>, (folder) =>
    runScript(
      'scripts/test-reports.js',
      names.map((name) => join(folder, name)),
    ),
  )
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
const GOOD: Counts = { passes: 3, failures: 0, pending: [] }
const SKIPPED = { ...GOOD, pending: ['a store far away'] }

const ENDINGS: Readonly<Record<string, readonly [runs: readonly Counts[], lines: readonly string[]]>> = {
  'all tests have passed': [[GOOD], ['3 passed, 0 failed']],
  'a test was skipped': [[SKIPPED], ['skipped: a store far away', '3 passed, 0 failed, 1 skipped']],
  'no test ran': [[{ ...GOOD, passes: 0 }], ['no test has passed in run-0.json', '0 passed, 0 failed']],
  'either of two runs fails': [
    [GOOD, { ...SKIPPED, passes: 1, failures: 1 }],
    [...failedIn('run-1.json'), 'skipped: a store far away', '4 passed, 1 failed, 1 skipped'],
  ],
}

describe('the command that counts the tests', () => {
  for (const [what, [runs, lines]] of Object.entries(ENDINGS)) {
    const status = what.startsWith('all ') ? 0 : 1
    it(`exits with ${status} if ${what}, and prints the counts`, async () => {
      expect(await countOf(...runs)).to.deep.equal({ status, lines })
    })
  }

  it('fails if a report is missing', async () => {
    expect((await countOf(GOOD, undefined)).status).to.equal(1)
  })
})
