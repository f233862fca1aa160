import { execFile } from 'node:child_process'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect } from 'chai'
import { PROJECT } from '../support/project.js'
import { TOOLS } from '../support/required-tools.js'

const MOCHA = createRequire(import.meta.url).resolve('mocha/bin/mocha.js')
const TESTS = join(PROJECT, 'dist', 'test')
/** The fuzzer is found only through a variable, never in PATH. */
const FUZZ = join(TESTS, 'fuzz', 'catalogue.test.js')

type Report = {
  readonly stats: { readonly passes: number; readonly pending: number; readonly failures: number }
  readonly tests: readonly { readonly fullTitle: string; readonly err: { readonly message?: string } }[]
}

async function reportWith(env: Readonly<Record<string, string>>): Promise<Report> {
  const args = [MOCHA, '--no-config', '--reporter', 'json', FUZZ]
  const options = { env: { PATH: process.env['PATH'] ?? '', ...env } }
  const outcome = promisify(execFile)(process.execPath, args, options)
  const { stdout } = await outcome.catch((error: unknown) => error as { readonly stdout: string })
  return JSON.parse(stdout) as Report
}

describe('tests whose tool is missing', () => {
  const { missing, requiredBy } = TOOLS.schemathesis

  it('are skipped, with the missing tool in the title', async () => {
    const { stats, tests } = await reportWith({})
    expect([stats.passes, stats.failures]).to.deep.equal([0, 0])
    expect(stats.pending).to.be.greaterThan(1)
    for (const { fullTitle } of tests) expect(fullTitle).to.include(`(${missing})`)
  })

  it('fail with the same reason if the tool is required', async () => {
    const { stats, tests } = await reportWith({ [requiredBy]: '1' })
    expect(stats).to.include({ passes: 0, pending: 0, failures: 1 })
    expect(tests[0]?.err.message).to.equal(missing)
  })
})
