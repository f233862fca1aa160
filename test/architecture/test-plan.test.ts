import { spawnSync } from 'node:child_process'
import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect } from 'chai'
import { rotating } from '../support/rotation.js'
import { filesOf, gitIn, plant, PROJECT, runScript } from '../support/project.js'

type Row = Readonly<Record<string, string>>
type Plan = { readonly FACTORS: Readonly<Record<string, readonly string[]>>; readonly ROWS: readonly Row[] }
type Runs = {
  readonly rowsFor: (
    variation: { readonly on: readonly string[]; readonly mode?: string },
    first: Row,
    rows: readonly Row[],
    complete: boolean,
  ) => readonly Row[]
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

  it("runs a file in the rows that the file's factors require", async () => {
    const { ROWS } = (await script('test-plan.js')) as Plan
    const { rowsFor } = (await script('test-runs.js')) as Runs
    const [first = {}, ...rows] = ROWS
    const counts = (complete: boolean) =>
      [['host'], ['store', 'host'], ['store', 'host', 'tokens', 'mode']].map(
        (on) => rowsFor({ on }, first, rows, complete).length,
      )
    expect(counts(false)).to.deep.equal([1, 3, 5])
    expect(counts(true)).to.deep.equal([1, 3, 5])
    const backwards = [...rows].reverse()
    expect(rowsFor({ on: ['host'] }, first, backwards, false)).to.deep.equal([ROWS.at(-1)])
    expect(rowsFor({ on: ['host'], mode: 'stateful' }, first, backwards, false)).to.deep.equal([ROWS[2]])
  })

  it('distributes the files of a part over commits, with the longest files on different commits', async () => {
    const { otherRuns } = (await script('test-runs.js')) as Runs
    const filesOfPackage = (plan: string, complete = false) =>
      otherRuns({ complete, plan }).find(({ name }) => name === 'package')?.files ?? []
    const dealt = ['00000000', '00000001', '00000002'].map((plan) => filesOfPackage(plan))
    expect([...new Set(dealt.flat())].sort()).to.deep.equal(filesOfPackage('00000000', true).toSorted())
    const long = ['packed/hosts', 'packed/bundles', 'packed/built-hosts']
    for (const files of dealt) expect(files.filter((file) => long.includes(file))).to.have.length(1)
  })

  it('can be printed for a commit and for the complete matrix', async () => {
    const printed = async (...args: string[]) => {
      const { status, lines } = await runScript('scripts/test.js', [...args, '--plan'])
      return [status, lines[0], lines.filter((line) => line.includes(' HTTP with ')).length]
    }
    const hash = '0123456789abcdef0123456789abcdef01234567'
    expect(await printed('--ci', '--plan', hash)).to.deep.equal([0, `The plan of ${hash}`, 5])
    expect(await printed('--all')).to.deep.equal([0, 'The complete matrix', 23])
  })

  it('rejects a plan that is not a commit hash, and a run that does not exist', async () => {
    expect((await runScript('scripts/test.js', ['--ci', '--plan', 'HEAD', '--plan'])).status).to.equal(1)
    expect((await runScript('scripts/test.js', ['--run', 'nothing'])).status).to.equal(2)
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

  it('is the whole list if all items are requested, and throws if the plan is not a commit hash', () => {
    expect(rotating(items, 4, '00000001')).to.deep.equal(items)
    expect(() => rotating(items, 2, 'main')).to.throw('"main" is not the hash of a commit')
  })
})

/** Writes the report of a run in which one test has passed; SKIPS=1 adds a skipped test, TOOK the seconds of a file. */
const MOCHA = `
const { writeFileSync } = require('node:fs')
const skipped = process.env.SKIPS === '1' ? [{ fullTitle: 'a store (no MongoDB)' }] : []
const stats = { passes: 1, failures: 0, pending: skipped.length }
writeFileSync(process.env.TEST_REPORT, JSON.stringify({ stats, pending: skipped, failures: [] }))
writeFileSync(process.env.TEST_REPORT + '.times', (process.env.TOOK ?? '1') + ' ' + process.cwd() + '/dist/test/a/b.test.js\\n')
`

describe('the test runner', () => {
  let tree: ReturnType<typeof plant>
  let folder: string

  beforeEach(() => {
    const tests = filesOf('dist/test').filter((file) => file.endsWith('.test.js'))
    tree = plant({
      ...Object.fromEntries(tests.map((file) => [file, ''])),
      'dist/test/support/mongodb/server.js': 'export const hasMongodb = () => true',
      'node_modules/mocha/bin/mocha.js': MOCHA,
      'package.json': '{ "type": "module" }',
      'node_modules/mocha/package.json': '{}',
      '.gitignore': 'dist\nnode_modules\nreports\n',
    })
    folder = tree.folder
    for (const part of ['scripts', 'dist/test/support/memory-folder.js', 'dist/test/support/rotation.js'])
      cpSync(join(PROJECT, part), join(folder, part), { recursive: true })
    gitIn(folder)('init', '--quiet')
    commit()
  })
  afterEach(() => tree.remove())

  const commit = () => {
    gitIn(folder)('add', '--all')
    gitIn(folder)('commit', '--quiet', '--allow-empty', '--message', 'another')
  }
  const run = (args: readonly string[], env: Record<string, string> = {}) =>
    spawnSync(process.execPath, [join(folder, 'scripts', 'test.js'), ...args], {
      env: { ...process.env, TEST_PLAN: '', ...env },
      encoding: 'utf8',
    })
  /** How many of two runs were left out because they have passed before. */
  const resumed = (...args: readonly string[]) =>
    run(['--ci', '--resume', '--run', 'all', '--run', 'slow', ...args]).stdout.split('has passed before')
      .length - 1

  it('skips runs that have already passed on the same commit, and includes them in the count', () => {
    run([])
    expect(resumed()).to.equal(1)
    expect(resumed()).to.equal(2)
    expect(resumed('--plan', '0'.repeat(40))).to.equal(1)
    const count = spawnSync(process.execPath, [join(folder, 'scripts', 'test-reports.js')], {
      encoding: 'utf8',
    })
    expect(count.stdout.trim()).to.equal('2 passed, 0 failed')
  })

  it('runs everything again after a change, a new commit, a partial run or a skipped test', () => {
    run([])
    writeFileSync(join(folder, 'new.ts'), '')
    expect(resumed()).to.equal(0)
    commit()
    expect(resumed()).to.equal(0)
    run(['--grep', 'x'])
    expect(resumed()).to.equal(0)
    expect(run([], { SKIPS: '1' }).stdout).to.include('Left out: 1 tests (no MongoDB)')
    expect(resumed()).to.equal(0)
  })

  it('ignores the reports of an earlier run', () => {
    run(['--ci', '--run', 'all', '--run', 'slow'])
    run([])
    const noted = JSON.parse(readFileSync(join(folder, 'reports', 'runs.json'), 'utf8')) as unknown[]
    expect(noted).to.have.length(1)
  })

  it('fails if an ordinary file takes too long, unless the machine was busy', () => {
    const load = (share: string) =>
      writeFileSync(
        join(folder, 'scripts', 'machine-load.js'),
        `export const otherWork = () => () => ${share}`,
      )
    load('0')
    const slow = run([], { TOOK: '21' })
    expect([slow.status, slow.stderr]).to.deep.equal([
      1,
      'a/b took 21.0 s: make it faster, or give it to a slow part of scripts/test-plan.js.\n',
    ])
    expect(run([], { TOOK: '19' }).status).to.equal(0)
    load('0.5')
    expect(run([], { TOOK: '21' }).status).to.equal(0)
  })

  it('fails if the plan names a test file that does not exist', () => {
    rmSync(join(folder, 'dist/test/cli/under-load.test.js'))
    const { status, stderr } = run([])
    expect(status).to.equal(1)
    expect(stderr).to.include('scripts/test-plan.js names no test with cli/under-load')
  })
})
