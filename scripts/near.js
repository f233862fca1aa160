// Checks what you have changed, in half a minute: build, format, lint, the words of comments and pages, and the tests of
// the changed files. A file has changed if it differs from HEAD, or with `--since REF` from that commit. `npm run check`
// checks everything.
//   npm run near                                  the files that are not committed
//   npm run near -- --since main~3                also the changes of three commits
//   npm run test:file -- cli/user-factor [-g x]   only these test files; other arguments go to mocha
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { filesBelow } from './files.js'

const project = join(import.meta.dirname, '..')
/** Tests that read all files and are quick. */
const ALWAYS = ['architecture/words', 'architecture/mirrors', 'architecture/names']
const OF_PAGES = ['handbook/map', 'handbook/references']
const args = process.argv.slice(2)
const asFiles = args[0] === '--files'

process.exitCode = asFiles ? runFiles(args.slice(1)) : checkChanges()

/** Runs the test files with these names; each is a path, with or without `test/` and `.test.ts`. */
function runFiles(given) {
  const firstOption = given.findIndex((one) => one.startsWith('-'))
  const names = given.slice(0, firstOption === -1 ? given.length : firstOption)
  const tests = names.map(asTest)
  const unknown = names.filter((_, index) => !existsSync(sourceOf(tests[index])))
  if (names.length === 0 || unknown.length > 0) {
    console.error(
      unknown.length > 0
        ? `There is no test file ${unknown.join(', ')}.`
        : 'Name a test file, for example: npm run test:file -- cli/user-factor',
    )
    return 2
  }
  return step('build') || mocha(tests, given.slice(names.length))
}

function checkChanges() {
  const changed = changedFiles()
  if (changed.length === 0) {
    console.log('No file has changed.')
    return 0
  }
  const tests = [...new Set([...changed.flatMap(testsOf), ...ALWAYS])]
  console.log(`${changed.length} changed files, ${tests.length} test files`)
  const isCode = (file) => /\.[cm]?[jt]s$/.test(file)
  const failed = [
    step('build'),
    tool('prettier/bin/prettier.cjs', ['--check', '--ignore-unknown', '--log-level', 'warn', ...changed]),
    changed.some(isCode)
      ? tool('eslint/bin/eslint.js', ['--max-warnings', '0', '--no-warn-ignored', ...changed.filter(isCode)])
      : 0,
    mocha(tests, []),
  ]
  return failed.some((status) => status !== 0) ? 1 : 0
}

function changedFiles() {
  const since = args[0] === '--since' ? (args[1] ?? '') : 'HEAD'
  const listed = [
    ...git('diff', '--name-only', '--diff-filter=d', since),
    ...git('ls-files', '--others', '--exclude-standard'),
  ]
  return [...new Set(listed)].filter((file) => existsSync(join(project, file)))
}

function git(...command) {
  const { status, stdout, stderr } = spawnSync('git', command, { cwd: project, encoding: 'utf8' })
  if (status !== 0) throw new Error(`git ${command.join(' ')} failed: ${stderr.trim()}`)
  return stdout.split('\n').filter(Boolean)
}

/** The tests of a changed file: itself, its counterpart, and the tests in the folder of its counterpart's name. */
function testsOf(file) {
  if (file.endsWith('.md')) return OF_PAGES
  if (file.startsWith('test/')) return file.endsWith('.test.ts') ? [asTest(file)] : []
  const { path } = /^src\/(?<path>.*)\.ts$/.exec(file)?.groups ?? {}
  if (path === undefined) return []
  const below = filesBelow(join(project, 'test', path), '.test.ts').map((name) => asTest(`${path}/${name}`))
  return [path, ...below].filter((test) => existsSync(sourceOf(test)))
}

function asTest(name) {
  return name.replace(/^(?:\.\/)?test\//, '').replace(/\.test(?:\.[jt]s)?$/, '')
}

function sourceOf(test) {
  return join(project, 'test', `${test}.test.ts`)
}

function mocha(tests, options) {
  return tool('mocha/bin/mocha.js', [...tests.map((test) => `dist/test/${test}.test.js`), ...options])
}

function step(script) {
  return run('npm', ['run', '--silent', script])
}

function tool(path, options) {
  return run(process.execPath, [join(project, 'node_modules', path), ...options])
}

function run(program, options) {
  const { status } = spawnSync(program, options, {
    cwd: project,
    stdio: 'inherit',
    shell: process.platform === 'win32' && program === 'npm',
  })
  return status ?? 1
}
