import { spawnSync } from 'node:child_process'
import { cpSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect } from 'chai'
import { rotating } from '../support/rotation.js'
import { filesOf, plant, PROJECT } from '../support/project.js'

type Row = Readonly<Record<string, string>>
type Plan = {
  readonly FACTORS: Readonly<Record<string, readonly string[]>>
  readonly ROWS: readonly Row[]
  readonly isTooSlow: (seconds: number, secondsOfRun: number) => boolean
}
type Runs = {
  readonly otherRuns: (options: {
    readonly complete: boolean
    readonly plan: string
  }) => readonly { readonly name: string; readonly files: readonly string[] }[]
}
const script = async (name: string): Promise<unknown> =>
  await import(pathToFileURL(join(PROJECT, 'scripts', name)).href)

describe('the test plan', () => {
  it('covers every pair of factor values in at least one row', async () => {
    const { FACTORS, ROWS } = (await script('test-plan.js')) as Plan
    const factors = Object.keys(FACTORS)
    const missing = factors.flatMap((one, index) =>
      factors
        .slice(index + 1)
        .flatMap((other) =>
          (FACTORS[one] ?? []).flatMap((value) =>
            (FACTORS[other] ?? [])
              .filter((second) => !ROWS.some((row) => row[one] === value && row[other] === second))
              .map((second) => `${one} ${value}, ${other} ${second}`),
          ),
        ),
    )
    expect(missing).to.deep.equal([])
  })

  it('distributes the files of a part over commits, with the longest files on different commits', async () => {
    const { otherRuns } = (await script('test-runs.js')) as Runs
    const filesOfPackage = (plan: string, complete = false) =>
      otherRuns({ complete, plan }).find(({ name }) => name === 'package')?.files ?? []
    const dealt = ['00000000', '00000001', '00000002', '00000003'].map((plan) => filesOfPackage(plan))
    expect([...new Set(dealt.flat())].sort()).to.deep.equal(filesOfPackage('00000000', true).toSorted())
    const long = ['packed/hosts', 'packed/bundles', 'packed/built-hosts', 'packed/types/compilers']
    for (const files of dealt) expect(files.filter((file) => long.includes(file))).to.have.length(1)
  })
})

describe('the rotating selection from a list', () => {
  const items = ['a', 'b', 'c', 'd']

  it('is the same for the same hash, and covers every item over successive hashes', () => {
    const chosen = ['00000000', '00000001', '00000002', '00000003'].map((hash) => rotating(items, 2, hash))
    expect(chosen).to.deep.equal([
      ['a', 'b'],
      ['b', 'c'],
      ['c', 'd'],
      ['a', 'd'],
    ])
  })
})

/** A program that writes the report of a run in which one test has passed; TOOK sets the seconds of a file. */
const MOCHA = `
const { writeFileSync } = require('node:fs')
const stats = { passes: 1, failures: 0, duration: 60_000, pending: 0 }
writeFileSync(process.env.TEST_REPORT, JSON.stringify({ stats, pending: [], failures: [] }))
writeFileSync(process.env.TEST_REPORT + '.times', (process.env.TOOK ?? '1') + ' ' + process.cwd() + '/dist/test/a/b.test.js\\n')
`

describe('the test runner', () => {
  let tree: ReturnType<typeof plant>
  let folder: string

  beforeEach(() => {
    const tests = filesOf('dist/test').filter((file) => file.endsWith('.test.js'))
    tree = plant({
      ...Object.fromEntries(tests.map((file) => [file, ''])),
      'dist/test/support/required-tools.js': 'export const [hasTool, isRequired, TOOLS] = [() => true]',
      'node_modules/mocha/bin/mocha.js': MOCHA,
      'package.json': '{ "type": "module" }',
      'node_modules/mocha/package.json': '{}',
    })
    folder = tree.folder
    for (const part of ['scripts', 'dist/test/support/memory-folder.js', 'dist/test/support/rotation.js'])
      cpSync(join(PROJECT, part), join(folder, part), { recursive: true })
  })
  afterEach(() => tree.remove())

  const run = (env: Record<string, string> = {}) =>
    spawnSync(process.execPath, [join(folder, 'scripts', 'test.js')], {
      env: { ...process.env, TEST_PLAN: '', ...env },
      encoding: 'utf8',
    })

  it('fails if an ordinary file takes too long, unless the machine was busy', async () => {
    const slow = run({ TOOK: '21' })
    expect([slow.status, slow.stderr]).to.deep.equal([
      1,
      'a/b took 21.0 s: make it faster, or give it to a slow part of scripts/test-plan.js.\n',
    ])
    expect(run({ TOOK: '19' }).status).to.equal(0)
    const { isTooSlow } = (await script('test-plan.js')) as Plan
    expect([isTooSlow(21, 80), isTooSlow(21, 120)]).to.deep.equal([true, false])
  })

  it('fails if the plan names a test file that does not exist', () => {
    rmSync(join(folder, 'dist/test/cli/missing-store.test.js'))
    const { status, stderr } = run()
    expect(status).to.equal(1)
    expect(stderr).to.include('scripts/test-plan.js names no test with cli/missing-store')
  })
})
