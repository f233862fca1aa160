import { spawnSync } from 'node:child_process'
import { cpSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect } from 'chai'
import { gitIn, plant, PROJECT } from '../support/project.js'

type Near = {
  readonly readSources: (folder: string) => ReadonlyMap<string, string>
  readonly selectTests: (
    changed: readonly string[],
    sources: ReadonlyMap<string, string>,
  ) => { readonly tests: readonly string[] }
  readonly changedPorts: (changed: readonly string[]) => string
}

/** Changes whose test does not import the changed file, or imports it only through many other files. */
const CHANGES: readonly (readonly [what: string, file: string, test: string])[] = [
  ['a law that checks nothing', 'src/contracts/pets/pets.ts', 'contracts/broken-store'],
  ['a planted bug whose pattern selects no law', 'test/contracts/broken/pets.ts', 'contracts/broken-store'],
  ['a port call with another outcome', 'src/ports/calls/store.ts', 'composition-root/custom-parts/watch'],
  ['a statement that reads a whole table', 'src/adapters/sqlite/pets.ts', 'adapters/sqlite/plans'],
  ['an operation that is not listed', 'src/application/operations.ts', 'application/wiring'],
  ['a changed description of an endpoint', 'src/http/endpoints/pets.ts', 'http/endpoints'],
  ['a command without a summary', 'src/adapters/oclif/commands/role.ts', 'cli/help'],
  ['a request that was recorded differently', 'test/http/recorded-requests.ts', 'http/recorded-replies'],
  ['a command that is missing from the lists of the tests', 'test/cli/every-command.ts', 'cli/own-process'],
  [
    'a setting that .env.example does not explain',
    'src/configuration/settings.ts',
    'configuration/env-example',
  ],
  [
    'a permission that its page does not list',
    'src/domain/access/permissions.ts',
    'documentation/generated-pages',
  ],
]

describe('the selected tests for a change', () => {
  let near: Near
  let sources: ReadonlyMap<string, string>
  before(async () => {
    near = (await import(pathToFileURL(join(PROJECT, 'scripts', 'near-tests.js')).href)) as Near
    sources = near.readSources(PROJECT)
  })

  const selectedFor = (...changed: readonly string[]) => near.selectTests(changed, sources).tests

  for (const [what, file, test] of CHANGES)
    it(`include the test that detects ${what}`, () => {
      expect(selectedFor(file)).to.include(test)
    })

  it('include the laws of a changed store, and only the laws of its changed ports', () => {
    const passkeys = 'src/adapters/postgresql/passkeys.ts'
    expect(selectedFor(passkeys)).to.include.members(['adapters/postgresql/passkeys', 'contracts/postgresql'])
    expect(near.changedPorts([passkeys, 'src/adapters/mongodb/api-keys.ts'])).to.equal('passkeys apiKeys')
    expect(near.changedPorts([passkeys, 'src/contracts/law.ts'])).to.equal('')
  })

  it('include the test that runs the commands of a page', () => {
    const testOf = (door: string, page: string) =>
      selectedFor(`docs/${door}/${page}.md`).filter((name) => name.startsWith('handbook/'))
    expect(testOf('operate', 'sessions'))
      .to.include('handbook/operate-r-to-z')
      .and.not.include('handbook/operate-a-to-k')
    expect(testOf('operate', 'backup')).to.include('handbook/operate-with-tools')
    expect(testOf('embed', 'versions')).to.include('handbook/embed')
  })
})

/** Replaces a tool: prints its name and its arguments. */
const toolNamed = (name: string) => `console.log(['${name}', ...process.argv.slice(2)].join(' '))`

describe('the check of changed files', () => {
  let tree: ReturnType<typeof plant>

  before(() => {
    tree = plant({
      'package.json': '{ "type": "module", "scripts": { "build:app": "echo app" } }',
      '.gitignore': 'node_modules\ndist\nreports\n',
      'scripts/build.js': toolNamed('build'),
      'dist/test/support/memory-folder.js': 'export const memoryFolder = () => undefined',
      'node_modules/mocha/package.json': '{}',
      'node_modules/mocha/bin/mocha.js':
        "import { writeFileSync } from 'node:fs';" +
        "const failures = [{ file: 'dist/test/a/b/part.test.js' }];" +
        'if (process.env.TEST_REPORT) writeFileSync(process.env.TEST_REPORT, JSON.stringify({ failures }));' +
        toolNamed('mocha') +
        ';process.exit(1)',
      'node_modules/prettier/bin/prettier.cjs': toolNamed('prettier') + ';process.exit(1)',
      'scripts/types-and-lint.js': "console.log(process.argv.slice(2).join(' ')); process.exitCode = 1",
      'src/a/b.ts': '',
      'src/a/other.ts': '',
      'test/a/b.test.ts': '',
      'test/a/b/part.test.ts': '',
      'test/a/other.test.ts': '',
    })
    for (const script of ['near.js', 'near-tests.js', 'files.js', 'test-plan.js', 'test-reports.js'])
      cpSync(join(PROJECT, 'scripts', script), join(tree.folder, 'scripts', script))
    const git = gitIn(tree.folder)
    git('init', '--quiet')
    git('add', '--all')
    git('commit', '--quiet', '--message', 'first')
  })
  after(() => tree.remove())

  const run = () => {
    const args = [join(tree.folder, 'scripts/near.js')]
    const { status, stdout } = spawnSync(process.execPath, args, { encoding: 'utf8' })
    return { status, lines: stdout.trim().split('\n') }
  }

  it('runs each tool on the changed files, prints the output of failed tools, and lists the failures last', () => {
    expect(run().lines).to.deep.equal(['No file has changed.'])
    writeFileSync(join(tree.folder, 'src/a/b.ts'), 'export {}')
    const { status, lines } = run()
    expect(status).to.equal(1)
    expect(lines[3]).to.equal('src/a/b.ts')
    expect(lines[4]).to.match(/^prettier --check .* src\/a\/b\.ts$/)
    expect(lines[5]).to.match(/^mocha .* dist\/test\/a\/b\.test\.js dist\/test\/a\/b\/part\.test\.js$/)
    expect(lines[6]).to.match(/^FAILED: types and lint, format, tests \(\d+ s\)$/)
    expect(lines.slice(7)).to.deep.equal(['Failed test files: a/b/part'])
  })
})
