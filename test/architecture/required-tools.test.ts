import { execFile } from 'node:child_process'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect } from 'chai'
import { PROJECT } from '../support/project.js'
import { TOOLS } from '../support/required-tools.js'

const MOCHA = createRequire(import.meta.url).resolve('mocha/bin/mocha.js')
const TESTS = join(PROJECT, 'dist', 'test')
const MONGODB = join(TESTS, 'adapters', 'mongodb', 'documents.test.js')
/** There is a program for the server, and this run starts none. */
const WITHOUT = { MONGOMS_SYSTEM_BINARY: process.execPath, TEST_MONGODB_SERVER: 'none' }

type Report = {
  readonly stats: { readonly passes: number; readonly pending: number; readonly failures: number }
  readonly tests: readonly { readonly fullTitle: string; readonly err: { readonly message?: string } }[]
}

/** The results of a file without the fixture of the tests. */
async function reportWith(env: Readonly<Record<string, string>>): Promise<Report> {
  const args = [MOCHA, '--no-config', '--reporter', 'json', MONGODB]
  const options = { env: { PATH: process.env['PATH'] ?? '', ...env } }
  const outcome = promisify(execFile)(process.execPath, args, options)
  const { stdout } = await outcome.catch((error: unknown) => error as { readonly stdout: string })
  return JSON.parse(stdout) as Report
}

describe('tests whose tool is missing', () => {
  const { missing, requiredBy } = TOOLS.mongodb

  it('are skipped, with the missing tool in the title', async () => {
    const { stats, tests } = await reportWith(WITHOUT)
    expect([stats.passes, stats.failures]).to.deep.equal([0, 0])
    expect(stats.pending).to.be.greaterThan(1)
    for (const { fullTitle } of tests) expect(fullTitle).to.include(`(${missing})`)
  })

  it('fail if the tool is required, with the same reason', async () => {
    const { stats, tests } = await reportWith({ ...WITHOUT, [requiredBy]: '1' })
    expect(stats).to.include({ passes: 0, pending: 0, failures: 1 })
    expect(tests[0]?.err.message).to.equal(missing)
  })
})
