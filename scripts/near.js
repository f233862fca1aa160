// Checks what you have changed, in half a minute: build, types, format, lint, and the tests near the changed files. A file has
// changed if it differs from HEAD, or with `--since REF` from that commit. `npm run check` checks everything.
//   npm run near                                  the files that are not committed
//   npm run near -- --since main~3                also the changes of three commits
//   npm run test:file -- cli/user-factor [-g x]   only these test files; other arguments go to mocha
import { fork, spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { importersIn, importsOf, nearestTests, readSources } from './import-graph.js'

const project = join(import.meta.dirname, '..')
const report = join(project, 'reports', 'near.json')
/** The test files that had no time; `test-budget.js` writes it. */
const late = `${report}.late`

/** The most test files of one changed file, and of all changed files. */
const PER_FILE = 12
const IN_ALL = 24

/** Seconds of CPU time after which a process begins no farther test file, and checks no types of a farther file. */
const SECONDS = { tests: 10, types: 15 }

const CHECK = ['--check', '--ignore-unknown', '--no-error-on-unmatched-pattern', '--log-level', 'warn']
const QUIET = [
  ...['--require', './scripts/test-budget.js', '--parallel', '--jobs', '2', '--no-fail-zero'],
  ...['--reporter', './scripts/test-reports.js'],
]

/** Tests that always run: they read all files, and are quick. */
const ALWAYS = ['architecture/words', 'architecture/mirrors', 'architecture/names']

/** Tests that hold a file although they do not import it, or are far from it. */
const HELD = [
  [/^(src|test)\/contracts\//, ['contracts/memory', 'contracts/broken-store']],
  [/^src\/ports\//, ['composition-root/custom-parts/watch', 'contracts/memory']],
  [/^src\/adapters\/sqlite\//, ['adapters/sqlite/plans', 'contracts/sqlite']],
  [/^src\/adapters\/memory\//, ['contracts/memory']],
  [/^src\/adapters\/mongodb\//, ['adapters/mongodb/documents']],
  [/^src\/application\//, ['application/wiring', 'application/operation']],
  [/^src\/http\/|^test\/http\/(interface|record)/, ['http/endpoints', 'http/recorded-replies']],
  [/^src\/adapters\/oclif\/|^package\.json/, ['cli/help', 'documentation/documentation']],
  [/^src\/configuration\/|^\.env\.example/, ['configuration/settings', 'embedding/setting-options']],
  [/^src\/domain\/access\//, ['domain/access/components', 'documentation/generated-pages']],
  [/\.md$/, ['handbook/map', 'handbook/references', 'documentation/changelog']],
  [/^src\/(configuration|ports|http)\//, ['documentation/generated-pages']],
  [/^scripts\//, ['architecture/test-plan', 'architecture/near', 'documentation/generated-pages']],
]

/** A test that runs the commands of the pages of a door, or only of the pages whose names begin so. */
const DOORS = 'test/handbook/walk-door.ts'
const WALK = /walkDoor\('(?<door>\w+)'(?:, \/(?<names>.*)\/)?\)/

/**
 * The test files of these changed files: the nearest by import or by name, and the `sure` suites, which hold the files. `others` counts the farther test files. `sources` has the text of each file of src and test by its path.
 */
export function selectTests(changed, sources) {
  const importers = importersIn(importsOf(sources))
  const found = changed.map((file) => nearestTests(file, sources, importers))
  const held = HELD.flatMap(([pattern, tests]) => (changed.some((file) => pattern.test(file)) ? tests : []))
  const followed = changed.flatMap((file) => followersOf(file, sources))
  const sure = [...ALWAYS, ...held, ...followed].filter((test) => sources.has(`test/${test}.test.ts`))
  // The nearest test of each file begins first.
  const nearest = new Set(found.flatMap(([first]) => first ?? []).slice(0, IN_ALL))
  for (const test of sure) nearest.add(test)
  for (let place = 1; place < PER_FILE; place += 1)
    for (const tests of found)
      if (tests[place] !== undefined && nearest.size < IN_ALL + sure.length) nearest.add(tests[place])
  const all = new Set(found.flat())
  return { tests: [...nearest], sure, others: [...all].filter((test) => !nearest.has(test)).length }
}

/** The tests that run the commands of this page of the handbook. */
function followersOf(page, sources) {
  const [, door, name] = /^docs\/(\w+)\/([^/]+\.md)$/.exec(page) ?? []
  const [, elsewhere] = sources.get(DOORS)?.split(`'${page}': '`) ?? []
  if (elsewhere) return [`handbook/${elsewhere.replace(/\.test[^]*/, '')}`]
  return Array.from(sources).flatMap(([path, text]) => {
    const walk = WALK.exec(text)?.groups
    const follows = walk?.door === door && name !== undefined && new RegExp(walk.names ?? '').test(name)
    return follows ? [path.slice('test/'.length, -'.test.ts'.length)] : []
  })
}

/** Runs the test files with these names; each is a path, with or without `test/` and `.test.ts`. */
function runFiles(args) {
  const firstOption = args.findIndex((one) => one.startsWith('-'))
  const names = args.slice(0, firstOption === -1 ? args.length : firstOption)
  const tests = names.map((name) => name.replace(/^(?:\.\/)?test\//, '').replace(/\.test(?:\.[jt]s)?$/, ''))
  const unknown = names.filter((_, index) => !existsSync(join(project, 'test', `${tests[index]}.test.ts`)))
  if (names.length === 0 || unknown.length > 0) {
    console.error(
      unknown.length > 0
        ? `There is no test file ${unknown.join(', ')}.`
        : 'Name a test file, for example: npm run test:file -- cli/user-factor',
    )
    return 2
  }
  const command = [
    join(project, 'node_modules/mocha/bin/mocha.js'),
    ...tests.map(pathOf),
    ...args.slice(names.length),
  ]
  return build() || (spawnSync(process.execPath, command, { cwd: project, stdio: 'inherit' }).status ?? 1)
}

async function checkChanges(args) {
  const changed = changedFiles(args[0] === '--since' ? (args[1] ?? '') : 'HEAD')
  if (changed.length === 0) {
    console.log('No file has changed.')
    return 0
  }
  const begun = performance.now()
  const files = changed.filter((file) => existsSync(join(project, file)))
  // Needs no build, and takes longest.
  const types = typesAndLint(changed)
  if (build() !== 0) {
    types.kill()
    return summary(['build'], begun, [])
  }
  const { memoryFolder } = await import('../dist/test/support/memory-folder.js')
  const { tests, sure, others } = selectTests(changed, readSources(project))
  console.log(`${changed.length} changed files, ${tests.length} test files`)
  mkdirSync(join(project, 'reports'), { recursive: true })
  for (const path of [report, late, `${report}.times`]) rmSync(path, { force: true })
  const pages = changed.filter((file) => file.startsWith('docs/'))
  const needsMongodb = tests.some((test) => test.includes('mongodb'))
  const env = {
    TEST_REPORT: report,
    TEST_SECONDS: SECONDS.tests,
    TEST_ALWAYS: sure.map(pathOf).join(' '),
    TMPDIR: memoryFolder() ?? tmpdir(),
    ...(pages.length > 0 && { HANDBOOK_PAGES: pages.join(' ') }),
    ...(!needsMongodb && { TEST_MONGODB_SERVER: 'none' }),
  }
  const format = run('prettier/bin/prettier.cjs', [...CHECK, ...files], {})
  const mocha = run('mocha/bin/mocha.js', [...QUIET, ...tests.map(pathOf)], env)
  const { failed, output, unchecked } = await types.ended
  if (output !== '') console.log(output)
  for (const [name, step] of Object.entries({ format, tests: mocha })) {
    const ending = await step
    if (ending.status === 0) continue
    failed.push(name)
    console.log(ending.output.trim())
  }
  return summary(failed, begun, [
    unchecked > 0 &&
      `Types not checked: ${unchecked} files that are farther away. npm run check:types checks all.`,
    ...notRun(),
    others > 0 && `Not run: ${others} test files that are farther away. npm test runs them.`,
  ])
}

/** The selected test files that did not begin. */
function notRun() {
  if (!existsSync(late)) return []
  const names = readFileSync(late, 'utf8').trim().split('\n').map(nameOf)
  return [`Not run: npm run test:file -- ${names.join(' ')}`]
}

/** The last lines: what failed, and in which test files. */
function summary(failed, begun, notes) {
  const seconds = Math.round((performance.now() - begun) / 1000)
  const { failures = [] } = existsSync(report) ? JSON.parse(readFileSync(report, 'utf8')) : {}
  const files = [...new Set(failures.map(({ file }) => nameOf(file)))]
  console.log(failed.length > 0 ? `FAILED: ${failed.join(', ')} (${seconds} s)` : `ok (${seconds} s)`)
  if (failed.includes('tests') && files.length > 0) console.log(`Failed test files: ${files.join(' ')}`)
  for (const note of notes) if (note) console.log(note)
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

/** Writes the changed modules without a look at types, and then everything that is built from modules. */
function build() {
  const shell = process.platform === 'win32'
  const runNow = (program, args) =>
    spawnSync(program, args, { cwd: project, stdio: 'inherit', shell }).status ?? 1
  return (
    runNow('node', ['scripts/build.js', '--unchecked']) || runNow('npm', ['run', '--silent', 'build:app'])
  )
}

const pathOf = (test) => `dist/test/${test}.test.js`
const nameOf = (path) => path.replaceAll('\\', '/').replace(/^.*dist\/test\/(.*)\.test\.js$/, '$1')

/** Starts the check of types and lint. `ended` resolves with the failed steps, even if the process ends too early. */
function typesAndLint(changed) {
  const child = fork(join(project, 'scripts/types-and-lint.js'), changed, {
    cwd: project,
    env: { ...process.env, TYPES_SECONDS: SECONDS.types },
  })
  const ended = new Promise((resolve) => {
    child.on('message', resolve)
    child.on('close', () => resolve({ failed: ['types', 'lint'], output: '', unchecked: 0 }))
  })
  return { ended, kill: () => child.kill() }
}

/** Runs a tool of node_modules to its end, and keeps the output. */
function run(path, args, env) {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [join(project, 'node_modules', path), ...args], {
      cwd: project,
      env: { ...process.env, ...env },
    })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk))
    child.on('close', (status) => resolve({ status: status ?? 1, output }))
  })
}

if (process.argv[1] !== undefined && basename(process.argv[1]) === 'near.js') {
  const args = process.argv.slice(2)
  process.exitCode = args[0] === '--files' ? runFiles(args.slice(1)) : await checkChanges(args)
}
