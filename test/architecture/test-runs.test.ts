import { execFileSync, spawnSync } from 'node:child_process'
import { chmodSync, cpSync, readFileSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { expect } from 'chai'
import { filesOf, plant, PROJECT } from '../support/project.js'

/** Writes the report of a run in which one test has passed, or is skipped where it is told so. */
const MOCHA = `
const { writeFileSync } = require('node:fs')
const skipped = process.env.SKIPS === '1' ? [{ fullTitle: 'a store far away' }] : []
const stats = { passes: 1, failures: 0, pending: skipped.length }
writeFileSync(process.env.TEST_REPORT, JSON.stringify({ stats, pending: skipped, failures: [] }))
`

describe('the runs after npm test', () => {
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
    for (const part of ['scripts', 'dist/test/support/memory-folder.js'])
      cpSync(join(PROJECT, part), join(folder, part), { recursive: true })
    git('init', '--quiet')
    commit()
  })
  afterEach(() => tree.remove())

  const git = (...args: readonly string[]) =>
    execFileSync('git', ['-c', 'user.name=Test', '-c', 'user.email=test@example.com', ...args], {
      cwd: folder,
    })
  const commit = () => {
    git('add', '--all')
    git('commit', '--quiet', '--allow-empty', '--message', 'another')
  }

  /** The runs that were started, and those that had passed before. */
  function runsOf(args: readonly string[], env: Record<string, string> = {}) {
    const command = [join(folder, 'scripts', 'test.js'), ...args]
    const { stdout } = spawnSync(process.execPath, command, {
      env: { ...process.env, ...env },
      encoding: 'utf8',
    })
    const named = (line: RegExp) => Array.from(stdout.matchAll(line), ([, name]) => name)
    return { started: named(/^The run (\S+)\.$/gm), left: named(/^The run (\S+) has passed before/gm) }
  }
  const afterTest = () => runsOf(['--every-run', '--after-test'])
  const count = () =>
    spawnSync(process.execPath, [join(folder, 'scripts', 'test-reports.js')], {
      encoding: 'utf8',
    }).stdout.trim()

  it('are the others, and all are counted', () => {
    const { started: usual } = runsOf([])
    const { started, left } = afterTest()
    expect([usual, left]).to.deep.equal([['all'], ['all']])
    expect(started).to.include.members(['mongodb', 'stateless-paseto']).and.to.have.length.above(10)
    expect(count()).to.equal(`${String(started.length + 1)} passed, 0 failed`)
  })

  for (const [what, change] of [
    ['a file was changed', () => writeFileSync(join(folder, 'package.json'), '{}')],
    ['a file is new', () => writeFileSync(join(folder, 'new.ts'), '')],
    ['there is another commit', () => commit()],
    ['the report is gone', () => execFileSync('rm', [join(folder, 'reports', 'mocha-all.json')])],
  ] as const) {
    it(`are all of them where ${what}`, () => {
      runsOf([])
      change()
      const { started, left } = afterTest()
      expect([started[0], left]).to.deep.equal(['all', []])
    })
  }

  it('are all of them where a part of the tests was run, or one skipped, or where that was not said', () => {
    runsOf(['--grep', 'x'])
    expect(afterTest().left).to.deep.equal([])
    runsOf([], { SKIPS: '1' })
    expect(afterTest().left).to.deep.equal([])
    expect(runsOf(['--every-run']).left).to.deep.equal([])
  })

  it('are all of them where the tests were run on another store, format of tokens, mode or host', () => {
    for (const env of [
      { TEST_STORE: 'mongodb' },
      { TEST_TOKENS: 'v4.public' },
      { TEST_MODE: 'stateless' },
      { TEST_HOST: 'web' },
    ]) {
      runsOf([], env)
      expect(afterTest().left).to.deep.equal([])
    }
  })

  it('are not begun where a run names a file that is not there', () => {
    execFileSync('rm', [join(folder, 'dist/test/cli/under-load.test.js')])
    expect(runsOf([])).to.deep.equal({ started: [], left: [] })
  })

  it('are the usual ones on each other Node too, and on none twice', () => {
    const other = join(folder, 'node-99')
    writeFileSync(
      other,
      `#!/bin/sh\nif [ "$1" = --version ]; then echo v99.1.0; else exec '${process.execPath}' "$@"; fi\n`,
    )
    chmodSync(other, 0o755)
    const NODE_BINARIES = [process.execPath, other, other].join(delimiter)
    const { started } = runsOf(['--every-run'], { NODE_BINARIES })
    expect(started.filter((name) => name?.startsWith('node-'))).to.deep.equal(['node-99'])
    expect(runsOf([], { NODE_BINARIES }).started).to.deep.equal(['all'])
  })

  it('leave no report of an earlier run to be counted', () => {
    runsOf(['--every-run'])
    runsOf([])
    expect(count()).to.equal('1 passed, 0 failed')
    expect(JSON.parse(readFileSync(join(folder, 'reports', 'runs.json'), 'utf8'))).to.have.length(1)
  })
})
