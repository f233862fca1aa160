// Checks what you have changed, in half a minute: build, types, format, lint, and the tests near the changed files. A file counts as
// changed if it differs from HEAD or, with `--since REF`, from that commit. To check everything, use `npm run check`.
//   npm run near                                  the files that are not committed
//   npm run near -- --since main~3                also the changes of three commits
//   npm run test:file -- cli/user-factor [-g x]   only these test files; other arguments go to mocha
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { importersIn, nearestTests, readSources } from './import-graph.js'

const project = join(import.meta.dirname, '..')
const report = join(project, 'reports', 'near.json')

/** The maximum number of test files for one changed file, and for all changed files. */
const PER_FILE = 12
const IN_ALL = 24

/** Seconds of CPU time after which the types in more distant files are no longer checked. */
const TYPES_SECONDS = 15

const CHECK = ['--check', '--ignore-unknown', '--no-error-on-unmatched-pattern', '--log-level', 'warn']
const QUIET = [
  ...['--parallel', '--jobs', '2', '--no-fail-zero'],
  ...['--reporter', './scripts/test-reports.js'],
]

/** Tests that always run, because they are fast and cover all files. */
const ALWAYS = ['architecture/words', 'architecture/mirrors', 'architecture/names']

/** Tests that cover a file although they do not import it or are far away from it. */
const HELD = [
  [/^(src|test)\/contracts\//, ['contracts/memory', 'contracts/broken-store']],
  [/^src\/ports\//, ['composition-root/custom-parts/watch', 'contracts/memory']],
  // The build copies the content of these files into other files.
  [
    /^src\/adapters\/imported-hashes\/in-thread\//,
    ['argon2', 'bcrypt', 'phpass', 'sha-crypt', 'hash-thread'].map(
      (name) => `adapters/imported-hashes/${name}`,
    ),
  ],
  [/^src\/adapters\/sqlite\//, ['adapters/sqlite/plans', 'contracts/sqlite']],
  [/^src\/adapters\/memory\//, ['contracts/memory']],
  [/^src\/adapters\/mongodb\//, ['adapters/mongodb/documents', 'contracts/mongodb']],
  [/^src\/adapters\/postgresql\//, ['contracts/postgresql']],
  [/^src\/adapters\/sql\//, ['contracts/sqlite', 'contracts/postgresql']],
  [/^src\/application\//, ['application/wiring', 'application/operation']],
  [/^src\/http\/|^test\/http\/(interface|record)/, ['http/endpoints', 'http/recorded-replies']],
  [/^src\/http\/endpoints\/administration\//, ['client/admin']],
  [/^src\/adapters\/oclif\/|^package\.json/, ['cli/help', 'documentation/documentation']],
  [/^src\/configuration\/|^\.env\.example/, ['configuration/settings', 'embedding/setting-options']],
  [/^src\/domain\/access\//, ['domain/access/components', 'documentation/generated-pages']],
  [/\.md$/, ['handbook/map', 'handbook/references', 'documentation/changelog']],
  [/^docs\/contribute\//, ['handbook/contribute']],
  [/^docs\/embed\//, ['handbook/embed']],
  [/^docs\/http\//, ['handbook/http']],
  [/^docs\/http\/(log-in|verify)/, ['handbook/other-languages']],
  [/^docs\/operate\/[a-k]/, ['handbook/operate-a-to-k']],
  [/^docs\/operate\/[l-q]/, ['handbook/operate-l-to-q']],
  [/^docs\/operate\/[r-z]/, ['handbook/operate-r-to-z']],
  [/^docs\/operate\/(backup|mongodb|tls-proxy)/, ['handbook/operate-with-tools']],
  [/^src\/(configuration|ports|http)\//, ['documentation/generated-pages']],
  [/^scripts\//, ['architecture/test-plan', 'architecture/near', 'documentation/generated-pages']],
]

/**
 * Returns the test files for these changed files: the nearest by import or by name, and the suites that contain the files.
 * `others` is the number of more distant test files. `sources` contains the text of each file in src and test, keyed by path.
 */
export function selectTests(changed, sources) {
  const importers = importersIn(sources)
  const found = changed.map((file) => nearestTests(file, sources, importers))
  const held = HELD.flatMap(([pattern, tests]) => (changed.some((file) => pattern.test(file)) ? tests : []))
  const sure = [...ALWAYS, ...held].filter((test) => sources.has(`test/${test}.test.ts`))
  // The nearest test of each file runs first.
  const nearest = new Set(found.flatMap(([first]) => first ?? []).slice(0, IN_ALL))
  for (const test of sure) nearest.add(test)
  for (let place = 1; place < PER_FILE; place += 1)
    for (const tests of found)
      if (tests[place] !== undefined && nearest.size < IN_ALL + sure.length) nearest.add(tests[place])
  const all = new Set(found.flat())
  return { tests: [...nearest], others: [...all].filter((test) => !nearest.has(test)).length }
}

/**
 * Returns the store ports whose adapters have changed: only their laws need to run. Empty if all laws must run, because
 * a law or a port has changed.
 */
export function changedPorts(changed) {
  if (changed.some((file) => /^(src|test)\/contracts\/|^src\/ports\//.test(file))) return ''
  const names = changed.flatMap(
    (file) => /^src\/adapters\/(?:sql|sqlite|postgresql|mongodb)\/(.*)\.ts$/.exec(file)?.[1] ?? [],
  )
  return names.map((name) => name.replace(/-(.)/g, (_, letter) => letter.toUpperCase())).join(' ')
}

/** Runs these test files: paths, with or without `test/` and `.test.ts`. Other arguments go to mocha. */
function runFiles(args) {
  const paths = args.map((one) => {
    const test = one.replace(/^(?:\.\/)?test\//, '').replace(/\.test(?:\.[jt]s)?$/, '')
    return existsSync(join(project, `test/${test}.test.ts`)) ? pathOf(test) : one
  })
  return build() || runNow('node', ['node_modules/mocha/bin/mocha.js', ...paths])
}

async function checkChanges(args) {
  const changed = changedFiles(args[0] === '--since' ? (args[1] ?? '') : 'HEAD')
  if (changed.length === 0) {
    console.log('No file has changed.')
    return 0
  }
  const begun = performance.now()
  mkdirSync(join(project, 'reports'), { recursive: true })
  for (const path of [report, `${report}.times`]) rmSync(path, { force: true })
  // Starts types and lint before the build, because they take longest.
  const types = run('scripts/types-and-lint.js', changed, { TYPES_SECONDS })
  const notes = []
  const steps = { 'types and lint': types }
  if (build() === 0) Object.assign(steps, await startTests(changed, notes))
  else steps.build = { status: 1, output: '' }
  const failed = []
  for (const [name, step] of Object.entries(steps)) {
    const { status, output } = await step
    if (status !== 0) failed.push(name)
    const isShown = status !== 0 || step === types
    if (isShown && output !== '') console.log(output.trim())
  }
  return summary(failed, begun, notes)
}

/** Starts the tests near these files, and the check of the files' format. */
async function startTests(changed, notes) {
  const { memoryFolder } = await import('../dist/test/support/memory-folder.js')
  const { tests, others } = selectTests(changed, readSources(project))
  console.log(`${changed.length} changed files, ${tests.length} test files`)
  if (others > 0) notes.push(`Not run: ${others} test files that are farther away. npm test runs them.`)
  const pages = changed.filter((file) => file.startsWith('docs/'))
  const servers = ['mongodb', 'postgresql'].filter((server) => tests.some((test) => test.includes(server)))
  const env = {
    TEST_REPORT: report,
    TMPDIR: memoryFolder() ?? tmpdir(),
    ...(pages.length > 0 && { HANDBOOK_PAGES: pages.join(' ') }),
    TEST_SERVERS: servers.join(),
    LAWS_OF: changedPorts(changed),
  }
  const files = changed.filter((file) => existsSync(join(project, file)))
  return {
    format: run('node_modules/prettier/bin/prettier.cjs', [...CHECK, ...files], {}),
    tests: run('node_modules/mocha/bin/mocha.js', [...QUIET, ...tests.map(pathOf)], env),
  }
}

/** Prints the last lines, which list the failures and the failed test files. */
function summary(failed, begun, notes) {
  const seconds = Math.round((performance.now() - begun) / 1000)
  const { failures = [] } = existsSync(report) ? JSON.parse(readFileSync(report, 'utf8')) : {}
  const files = [...new Set(failures.map(({ file }) => nameOf(file)))]
  console.log(failed.length > 0 ? `FAILED: ${failed.join(', ')} (${seconds} s)` : `ok (${seconds} s)`)
  if (files.length > 0) console.log(`Failed test files: ${files.join(' ')}`)
  for (const note of notes) console.log(note)
  return failed.length > 0 ? 1 : 0
}

function changedFiles(since) {
  const listed = [...git('diff', '--name-only', since), ...git('ls-files', '--others', '--exclude-standard')]
  return [...new Set(listed)]
}

function git(...command) {
  const { status, stdout, stderr } = spawnSync('git', command, { cwd: project, encoding: 'utf8' })
  if (status !== 0) throw new Error(`git ${command.join(' ')} failed: ${stderr.trim()}`)
  return stdout.split('\n').filter(Boolean)
}

/** Writes the changed modules without checking types, and then all files that are built from modules. */
function build() {
  return (
    runNow('node', ['scripts/build.js', '--unchecked']) || runNow('npm', ['run', '--silent', 'build:app'])
  )
}

function runNow(program, args) {
  const shell = process.platform === 'win32'
  return spawnSync(program, args, { cwd: project, stdio: 'inherit', shell }).status ?? 1
}

/** Runs a script until it exits, and returns its output. */
function run(path, args, env) {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [join(project, path), ...args], {
      cwd: project,
      env: { ...process.env, ...env },
    })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk))
    child.on('close', (status) => resolve({ status: status ?? 1, output }))
  })
}

const pathOf = (test) => `dist/test/${test}.test.js`
const nameOf = (path) => path.replaceAll('\\', '/').replace(/^.*dist\/test\/(.*)\.test\.js$/, '$1')

if (process.argv[1] !== undefined && basename(process.argv[1]) === 'near.js') {
  const args = process.argv.slice(2)
  process.exitCode = args[0] === '--files' ? runFiles(args.slice(1)) : await checkChanges(args)
}
