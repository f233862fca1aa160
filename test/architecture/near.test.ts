import { spawnSync } from 'node:child_process'
import { cpSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { gitIn, plant, PROJECT } from '../support/project.js'

/** Replaces a tool: prints its name and its arguments. */
const toolNamed = (name: string) => `console.log(['${name}', ...process.argv.slice(2)].join(' '))`

describe('the check of changed files', () => {
  let tree: ReturnType<typeof plant>

  before(() => {
    tree = plant({
      'package.json': '{ "scripts": { "build": "echo build" } }',
      '.gitignore': 'node_modules\n',
      'scripts/package.json': '{ "type": "module" }',
      'node_modules/mocha/bin/mocha.js': toolNamed('mocha'),
      'node_modules/prettier/bin/prettier.cjs': toolNamed('prettier'),
      'node_modules/eslint/bin/eslint.js': toolNamed('eslint'),
      'src/a/b.ts': '',
      'src/a/other.ts': '',
      'test/a/b.test.ts': '',
      'test/a/b/part.test.ts': '',
      'test/a/other.test.ts': '',
    })
    for (const script of ['near.js', 'files.js'])
      cpSync(join(PROJECT, 'scripts', script), join(tree.folder, 'scripts', script))
    const git = gitIn(tree.folder)
    git('init', '--quiet')
    git('add', '--all')
    git('commit', '--quiet', '--message', 'first')
  })
  after(() => tree.remove())

  const near = (...args: readonly string[]) => {
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      [join(tree.folder, 'scripts/near.js'), ...args],
      { encoding: 'utf8' },
    )
    return { status, stderr: stderr.trim(), lines: stdout.trim().split('\n') }
  }

  it('runs each tool on the changed files, and the tests of these files', () => {
    expect(near().lines).to.deep.equal(['No file has changed.'])
    writeFileSync(join(tree.folder, 'src/a/b.ts'), 'export {}')
    const { status, lines } = near()
    expect(status).to.equal(0)
    expect(lines.slice(1, 4)).to.deep.equal([
      'build',
      'prettier --check --ignore-unknown --log-level warn src/a/b.ts',
      'eslint --max-warnings 0 --no-warn-ignored src/a/b.ts',
    ])
    const tests = lines[4]?.split(' ').slice(1, 3)
    expect(tests).to.deep.equal(['dist/test/a/b.test.js', 'dist/test/a/b/part.test.js'])
    expect(lines[4]).to.not.include('other')
  })

  it('runs test files by their names, and refuses names without a file', () => {
    const named = near('--files', 'test/a/other.test.ts', 'a/b', '-g', 'x')
    expect(named.lines).to.deep.equal(['build', 'mocha dist/test/a/other.test.js dist/test/a/b.test.js -g x'])
    const unknown = near('--files', 'a/c')
    expect([unknown.status, unknown.stderr]).to.deep.equal([2, 'There is no test file a/c.'])
    expect(near('--files').status).to.equal(2)
  })
})
