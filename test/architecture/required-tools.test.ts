import { execFile } from 'node:child_process'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect } from 'chai'
import { PROJECT } from '../support/project.js'
import { TOOLS } from '../support/required-tools.js'

const MOCHA = createRequire(import.meta.url).resolve('mocha/bin/mocha.js')
const TESTS = join(PROJECT, 'dist', 'test')
/** These tests use the fuzzer as an example, because it is found only through a variable and never in PATH. */
const FUZZ = join(TESTS, 'fuzz', 'catalogue.test.js')
const MONGODB = join(TESTS, 'adapters', 'mongodb', 'revocations.test.js')

type Report = {
  readonly stats: { readonly passes: number; readonly pending: number; readonly failures: number }
  readonly tests: readonly { readonly fullTitle: string; readonly err: { readonly message?: string } }[]
}

async function reportWith(env: Readonly<Record<string, string>>, file = FUZZ): Promise<Report> {
  const args = [MOCHA, '--no-config', '--reporter', 'json', file]
  const options = { env: { PATH: process.env['PATH'] ?? '', ...env } }
  const outcome = promisify(execFile)(process.execPath, args, options)
  const { stdout } = await outcome.catch((error: unknown) => error as { readonly stdout: string })
  return JSON.parse(stdout) as Report
}

describe('tests whose tool is missing', () => {
  const { missing, requiredBy } = TOOLS.schemathesis

  function expectSkipped({ stats, tests }: Report, reason: string) {
    expect([stats.passes, stats.failures]).to.deep.equal([0, 0])
    expect(stats.pending).to.be.greaterThan(1)
    for (const { fullTitle } of tests) expect(fullTitle).to.include(`(${reason})`)
  }

  it('are skipped, with the missing tool in the title', async () => {
    expectSkipped(await reportWith({}), missing)
  })

  it('are skipped if the run starts no MongoDB server, even if a server program is installed', async () => {
    const env = { MONGOMS_SYSTEM_BINARY: process.execPath, TEST_SERVERS: 'none' }
    expectSkipped(await reportWith(env, MONGODB), TOOLS.mongodb.missing)
  })

  it('fail with the same reason if the tool is required', async () => {
    const { stats, tests } = await reportWith({ [requiredBy]: '1' })
    expect(stats).to.include({ passes: 0, pending: 0, failures: 1 })
    expect(tests[0]?.err.message).to.equal(missing)
  })
})
