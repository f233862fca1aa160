import { spawnSync } from 'node:child_process'
import { cpSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect } from 'chai'
import { gitIn, plant, PROJECT, textOf } from '../support/project.js'
import { suiteFolder } from '../support/temporary-folder.js'

type Near = {
  readonly readSources: (folder: string) => ReadonlyMap<string, string>
  readonly selectTests: (
    changed: readonly string[],
    sources: ReadonlyMap<string, string>,
  ) => { readonly tests: readonly string[]; readonly others: number }
  readonly changedPorts: (changed: readonly string[]) => string
}

type PlantedError = {
  readonly file: string
  readonly from: string | RegExp
  readonly to: string
  /** The test that must be selected, and must fail. */
  readonly test: string
}

/** Errors in files that the detecting test does not import, or imports only through many other files. */
const ERRORS: Readonly<Record<string, PlantedError>> = {
  'a law that checks nothing': {
    file: 'src/contracts/pets/pets.ts',
    from: /\.check\(async \(([^)]*)\) => \{/g,
    to: '.check(async ($1) => { return;',
    test: 'contracts/broken-store',
  },
  'a planted bug whose pattern selects no law': {
    file: 'test/contracts/broken/pets.ts',
    from: /bug\('([^']+)', \/[^/]+\//,
    to: "bug('$1', /no law has this name/",
    test: 'contracts/broken-store',
  },
  'a port call with another outcome': {
    file: 'src/ports/calls/store.ts',
    from: "findByEmail: read(accountWith('email')",
    to: 'findByEmail: read(LIST',
    test: 'composition-root/custom-parts/watch',
  },
  'a statement that reads a whole table': {
    file: 'src/adapters/sqlite/pets.ts',
    from: 'FROM pets WHERE id = ?',
    to: 'FROM pets WHERE +id = ?',
    test: 'adapters/sqlite/plans',
  },
  'an operation that is not listed': {
    file: 'src/application/operations.ts',
    from: '  ...audit,',
    to: '',
    test: 'application/wiring',
  },
  'a changed description of an endpoint': {
    file: 'src/http/endpoints/pets.ts',
    from: "'Includes its traits.'",
    to: "'Changed.'",
    test: 'http/endpoints',
  },
  'a setting that .env.example does not explain': {
    file: 'src/configuration/settings.ts',
    from: "'3000'",
    to: "'3001'",
    test: 'configuration/env-example',
  },
}

/** Errors whose detecting tests do not run here. */
const UNTRIED: Readonly<Record<string, readonly [file: string, test: string]>> = {
  'a command without a summary': ['src/adapters/oclif/commands/role.ts', 'cli/help'],
  'a request that was recorded differently': ['test/http/recorded-requests.ts', 'http/recorded-replies'],
  'a command that is missing from the lists of the tests': ['test/cli/every-command.ts', 'cli/own-process'],
  'a permission that its page does not list': [
    'src/domain/access/permissions.ts',
    'documentation/generated-pages',
  ],
}

describe('the selected tests for a change', () => {
  const inFolder = suiteFolder()
  const env = { ...process.env, TEST_SERVERS: 'none' }
  let copy: string
  let near: Near
  let sources: ReadonlyMap<string, string>
  before(async () => {
    near = (await import(pathToFileURL(join(PROJECT, 'scripts', 'near-tests.js')).href)) as Near
    sources = near.readSources(PROJECT)
    copy = copyOfProject(inFolder('project'))
  })

  const selectedFor = (...changed: readonly string[]) => near.selectTests(changed, sources).tests

  for (const [what, [file, test]] of Object.entries(UNTRIED))
    it(`include the test that detects ${what}`, () => {
      expect(selectedFor(file)).to.include(test)
    })

  for (const [what, { file, from, to, test }] of Object.entries(ERRORS))
    it(`include the test that detects ${what}, and it fails`, () => {
      expect(selectedFor(file)).to.include(test)
      const text = textOf(file)
      expect(text.replace(from, to), file).to.not.equal(text)
      writeFileSync(join(copy, file), text.replace(from, to))
      const run = (...args: readonly string[]) =>
        spawnSync(process.execPath, args, { cwd: copy, env, encoding: 'utf8' }).stdout
      run('scripts/build.js', '--unchecked')
      const printed = run('node_modules/mocha/bin/mocha.js', `dist/test/${test}.test.js`)
      writeFileSync(join(copy, file), text)
      expect(printed).to.match(/[1-9]\d* failing/)
    })

  it('are the tests closest to the change in the import graph, beginning with the test at the corresponding path', () => {
    const tests = selectedFor('src/application/identity/login.ts')
    expect(tests[0]).to.equal('application/identity/login')
    expect(tests).to.include('application/identity/login/failed-logins')
    expect(selectedFor('test/cli/every-command.ts')).to.include('cli/other-commands')
  })

  it('are at most 12 for one file and 24 for many files, not counting suites that contain the change', () => {
    const many = [...sources.keys()].filter((path) => path.startsWith('src/application/'))
    expect(selectedFor('src/domain/refusal.ts')).to.have.lengthOf.at.most(15)
    expect(selectedFor(...many)).to.have.lengthOf.at.most(29)
  })

  it('include every command for a changed command, and the query plans for a changed store of MongoDB', () => {
    expect(selectedFor('src/adapters/oclif/commands/role.ts')).to.include('cli/own-process')
    expect(selectedFor('src/adapters/mongodb/pets.ts')).to.include('adapters/mongodb/explain')
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

/** Copies the sources and the build of this project, with their timestamps, so that the build is up to date. */
function copyOfProject(folder: string): string {
  for (const part of ['src', 'test', 'scripts', 'docs', 'dist', 'templates', 'package.json', 'tsconfig.json'])
    cpSync(join(PROJECT, part), join(folder, part), { recursive: true, preserveTimestamps: true })
  for (const part of ['bench', 'examples', 'node_modules', '.mocharc.json', '.env.example', 'CHANGELOG.md'])
    symlinkSync(join(PROJECT, part), join(folder, part), 'junction')
  return folder
}

/** Returns the source of a stub tool that prints its name and arguments. */
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
        'const pending = [1, 2].map((n) => ({ fullTitle: `laws (no MongoDB: set it) ${n}` }));' +
        'const { TEST_REPORT } = process.env;' +
        'if (TEST_REPORT) writeFileSync(TEST_REPORT, JSON.stringify({ failures, pending }));' +
        toolNamed('mocha') +
        ";console.error('a log line')" +
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

  const run = (...args: readonly string[]) => {
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      [join(tree.folder, 'scripts/near.js'), ...args],
      { encoding: 'utf8' },
    )
    return { status, stderr: stderr.trim(), lines: stdout.trim().split('\n') }
  }

  it('runs each tool on the changed files, prints the output of failed tools, and lists the failures last', () => {
    expect(run().lines).to.deep.equal(['No file has changed.'])
    writeFileSync(join(tree.folder, 'src/a/b.ts'), 'export {}')
    const { status, lines } = run()
    expect(status).to.equal(1)
    expect(lines[3]).to.equal('src/a/b.ts')
    expect(lines[4]).to.match(/^prettier --check .* src\/a\/b\.ts$/)
    expect(lines[5]).to.equal('a log line')
    expect(lines[6]).to.match(/^mocha .* dist\/test\/a\/b\.test\.js dist\/test\/a\/b\/part\.test\.js$/)
    expect(lines[7]).to.equal('Skipped tests: no MongoDB: set it')
    expect(lines[8]).to.match(/^FAILED: types and lint, format, tests \(\d+ s\)$/)
    expect(lines.slice(9)).to.deep.equal(['Failed test files: a/b/part'])
  })

  it('runs test files by name', () => {
    const named = run('--files', 'test/a/other.test.ts', 'a/b', '-g', 'x')
    expect(named.lines.at(-1)).to.equal('mocha dist/test/a/other.test.js dist/test/a/b.test.js -g x')
  })
})
