// Checks what you have changed, in half a minute: build, format, lint, and the tests near the changed files. A file has
// changed if it differs from HEAD, or with `--since REF` from that commit. `npm run check` checks everything.
//   npm run near                                  the files that are not committed
//   npm run near -- --since main~3                also the changes of three commits
//   npm run test:file -- cli/user-factor [-g x]   only these test files; other arguments go to mocha
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { filesBelow } from './files.js'
import { importsOf, nearestTests } from './import-graph.js'

const project = join(import.meta.dirname, '..')
const report = join(project, 'reports', 'near.json')

/** The most test files of one changed file, and of all changed files. */
const PER_FILE = 20
const IN_ALL = 40

const CHECK = ['--check', '--ignore-unknown', '--no-error-on-unmatched-pattern', '--log-level', 'warn']
const STRICT = ['--max-warnings', '0', '--no-warn-ignored']
const QUIET = ['--parallel', '--jobs', '3', '--no-fail-zero', '--reporter', './scripts/test-reports.js']

/** Tests that always run: they read all files, and are quick. */
const ALWAYS = ['architecture/words', 'architecture/mirrors', 'architecture/names']

/** Tests that hold a file although they do not import it, or are far from it. */
const HELD = [
  [/^(src|test)\/contracts\//, ['contracts/memory', 'contracts/broken-store', 'contracts/bridge/bridge']],
  [/^src\/ports\//, ['composition-root/custom-parts/watch', 'contracts/memory', 'contracts/bridge/bridge']],
  [/^src\/adapters\/sqlite\//, ['adapters/sqlite/plans', 'contracts/sqlite']],
  [/^src\/adapters\/memory\//, ['contracts/memory', 'contracts/broken-store']],
  [/^src\/adapters\/mongodb\//, ['adapters/mongodb/documents']],
  [/^src\/application\//, ['application/wiring']],
  [/^src\/http\/|^test\/http\/(interface|record)/, ['http/endpoints', 'http/recorded-replies']],
  [
    /^src\/adapters\/oclif\/|^package\.json/,
    ['cli/help', 'cli/own-process', 'cli/loading', 'documentation/documentation'],
  ],
  [/^src\/configuration\/|^\.env\.example/, ['configuration/settings', 'embedding/setting-options']],
  [/^src\/domain\/access\//, ['domain/access/components', 'documentation/generated-pages']],
  [/\.md$/, ['handbook/map', 'handbook/references', 'documentation/changelog']],
  [/^src\/(configuration|ports|http)\//, ['documentation/generated-pages']],
  [/^scripts\//, ['architecture/test-plan', 'architecture/near', 'documentation/generated-pages']],
]

/**
 * The test files of these changed files: `nearest` by import or by name, at most 20 of each, and the suites that hold
 * them. `others` counts the farther test files. `sources` has the text of each file of src and test by its path.
 */
export function selectTests(changed, sources) {
  const imports = importsOf(sources)
  const found = changed.map((file) => nearestTests(file, sources, imports))
  const held = HELD.flatMap(([pattern, tests]) => (changed.some((file) => pattern.test(file)) ? tests : []))
  const sure = [...ALWAYS, ...held].filter((test) => sources.has(`test/${test}.test.ts`))
  const nearest = new Set(sure)
  for (let place = 0; place < PER_FILE; place += 1)
    for (const tests of found)
      if (tests[place] !== undefined && nearest.size < IN_ALL + sure.length) nearest.add(tests[place])
  const all = new Set(found.flat())
  return { tests: [...nearest], others: [...all].filter((test) => !nearest.has(test)).length }
}

/** The texts of all files of src and test, by their paths. */
export function readSources(folder = project) {
  const paths = ['src', 'test'].flatMap((root) =>
    filesBelow(join(folder, root), '.ts').map((file) => `${root}/${file}`),
  )
  return new Map(paths.map((path) => [path.replaceAll('\\', '/'), readFileSync(join(folder, path), 'utf8')]))
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
  if (build() !== 0) return summary(['build'], begun, '')
  const { memoryFolder } = await import('../dist/test/support/memory-folder.js')
  const { tests, others } = selectTests(changed, readSources())
  console.log(`${changed.length} changed files, ${tests.length} test files`)
  const files = changed.filter((file) => existsSync(join(project, file)))
  const code = files.filter((file) => /\.[cm]?[jt]s$/.test(file))
  mkdirSync(join(project, 'reports'), { recursive: true })
  rmSync(report, { force: true })
  const needsMongodb = tests.some((test) => test.includes('mongodb'))
  const env = {
    TEST_REPORT: report,
    TMPDIR: memoryFolder() ?? tmpdir(),
    ...(!needsMongodb && { TEST_MONGODB_SERVER: 'none' }),
  }
  const steps = {
    types: started('typescript/lib/tsc.js', ['--noEmit'], {}),
    format: started('prettier/bin/prettier.cjs', [...CHECK, ...files], {}),
    lint: code.length > 0 && started('eslint/bin/eslint.js', [...STRICT, ...code], {}),
    tests: started('mocha/bin/mocha.js', [...QUIET, ...tests.map(pathOf)], env),
  }
  const failed = []
  for (const [name, step] of Object.entries(steps)) {
    const { status, output } = (await step) || { status: 0 }
    if (status === 0) continue
    failed.push(name)
    console.log(output.trim())
  }
  return summary(failed, begun, others > 0 ? `Not run: ${others} test files that are farther away.` : '')
}

/** The last lines: what failed, and in which test files. */
function summary(failed, begun, note) {
  const seconds = Math.round((performance.now() - begun) / 1000)
  const { failures = [] } = existsSync(report) ? JSON.parse(readFileSync(report, 'utf8')) : {}
  const files = [...new Set(failures.map(({ file }) => file.replace(/^.*dist.test.(.*)\.test\.js$/, '$1')))]
  console.log(failed.length > 0 ? `FAILED: ${failed.join(', ')} (${seconds} s)` : `ok (${seconds} s)`)
  if (failed.includes('tests') && files.length > 0) console.log(`Failed test files: ${files.join(' ')}`)
  if (note !== '') console.log(note)
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
  const run = (program, args) =>
    spawnSync(program, args, { cwd: project, stdio: 'inherit', shell }).status ?? 1
  return run('node', ['scripts/build.js', '--unchecked']) || run('npm', ['run', '--silent', 'build:app'])
}

const pathOf = (test) => `dist/test/${test}.test.js`

/** Runs a tool of node_modules to its end, and keeps the output. */
function started(path, args, env) {
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
