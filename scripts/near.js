// Checks what you have changed, in half a minute: build, types, format, lint, and the tests near the changed files. A file counts as
// changed if it differs from HEAD or, with `--since REF`, from that commit. To check everything, use `npm run check`.
//   npm run near                                  the files that are not committed
//   npm run near -- --since main~3                also the changes of three commits
//   npm run test:file -- cli/user-factor [-g x]   only these test files; other arguments go to mocha
import { execFile, execFileSync, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { jsonOf, PROJECT } from './files.js'
import { changedPorts, readSources, selectTests } from './near-tests.js'
import { removeReport, reportOf } from './test-reports.js'

const report = reportOf('near')
/** Seconds of CPU time after which the types in more distant files are no longer checked. */
const TYPES_SECONDS = 15
const CHECK = ['--check', '--ignore-unknown', '--no-error-on-unmatched-pattern', '--log-level', 'warn']
const QUIET = '--parallel --jobs 2 --no-fail-zero --reporter ./scripts/test-reports.js'.split(' ')
const pathOf = (test) => `dist/test/${test}.test.js`

const args = process.argv.slice(2)
process.exitCode = args[0] === '--files' ? runFiles(args.slice(1)) : await checkChanges(args)

/** Runs these test files: paths, with or without `test/` and `.test.ts`. Other arguments go to mocha. */
function runFiles(args) {
  const paths = args.map((one) => {
    const test = one.replace(/^(?:\.\/)?test\//, '').replace(/\.test(?:\.[jt]s)?$/, '')
    return existsSync(join(PROJECT, `test/${test}.test.ts`)) ? pathOf(test) : one
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
  removeReport(report)
  // Starts types and lint before the build, because they take longest.
  const types = run('scripts/types-and-lint.js', changed, { TYPES_SECONDS })
  const steps = { 'types and lint': types }
  if (build() === 0) Object.assign(steps, await startTests(changed))
  else steps.build = { status: 1, output: '' }
  const failed = []
  for (const [name, step] of Object.entries(steps)) {
    const { status, output } = await step
    if (status !== 0) failed.push(name)
    const isShown = status !== 0 || step === types
    if (isShown && output !== '') console.log(output.trim())
  }
  return summary(failed, begun)
}

/** Starts the tests near these files, and the check of the files' format. */
async function startTests(changed) {
  const { memoryFolder } = await import('../dist/test/support/memory-folder.js')
  const { tests, others } = selectTests(changed, readSources(PROJECT))
  console.log(`${changed.length} changed files, ${tests.length} test files, ${others} more only in npm test`)
  const pages = changed.filter((file) => file.startsWith('docs/'))
  const servers = ['mongodb', 'postgresql'].filter((server) => tests.some((test) => test.includes(server)))
  const env = {
    TEST_REPORT: report,
    TMPDIR: memoryFolder() ?? tmpdir(),
    ...(pages.length > 0 && { HANDBOOK_PAGES: pages.join(' ') }),
    TEST_SERVERS: servers.join(),
    LAWS_OF: changedPorts(changed),
  }
  const files = changed.filter((file) => existsSync(join(PROJECT, file)))
  return {
    format: run('node_modules/prettier/bin/prettier.cjs', [...CHECK, ...files], {}),
    tests: run('node_modules/mocha/bin/mocha.js', [...QUIET, ...tests.map(pathOf)], env),
  }
}

/** Prints the last lines, which list the reasons of skipped tests, the failures and the failed test files. */
function summary(failed, begun) {
  const seconds = Math.round((performance.now() - begun) / 1000)
  const { failures = [], pending = [] } = existsSync(report) ? jsonOf(report) : {}
  const nameOf = ({ file }) => file.replaceAll('\\', '/').replace(/^.*dist\/test\/(.*)\.test\.js$/, '$1')
  const files = [...new Set(failures.map(nameOf))]
  const reasonOf = ({ fullTitle }) => /\((no .*)\)/.exec(fullTitle)?.[1] ?? fullTitle
  for (const reason of new Set(pending.map(reasonOf))) console.log(`Skipped tests: ${reason}`)
  console.log(failed.length > 0 ? `FAILED: ${failed.join(', ')} (${seconds} s)` : `ok (${seconds} s)`)
  if (files.length > 0) console.log(`Failed test files: ${files.join(' ')}`)
  return failed.length > 0 ? 1 : 0
}

function changedFiles(since) {
  const git = (...command) => execFileSync('git', command, { cwd: PROJECT, encoding: 'utf8' }).split('\n')
  const listed = [...git('diff', '--name-only', since), ...git('ls-files', '--others', '--exclude-standard')]
  return [...new Set(listed.filter(Boolean))]
}

/** Writes the changed modules without checking types, and then all files that are built from modules. */
function build() {
  return (
    runNow('node', ['scripts/build.js', '--unchecked']) || runNow('npm', ['run', '--silent', 'build:app'])
  )
}

function runNow(program, args) {
  const shell = process.platform === 'win32'
  return spawnSync(program, args, { cwd: PROJECT, stdio: 'inherit', shell }).status ?? 1
}

/** Runs a script until it exits, and returns its output: logs first, so that the failures come last. */
function run(path, args, env) {
  const options = { cwd: PROJECT, env: { ...process.env, ...env }, maxBuffer: Infinity }
  return new Promise((resolve) => {
    execFile(process.execPath, [join(PROJECT, path), ...args], options, (error, stdout, stderr) =>
      resolve({ status: error ? 1 : 0, output: stderr + stdout }),
    )
  })
}
