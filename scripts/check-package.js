// Packs the package once, as `npm publish` would upload it, and checks it with publint and attw (are the types wrong?).
// It packs the existing build and must not build again: other gates read the build at the same time.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

// Without `--no-definitely-typed` attw asks the registry. `esm-only`: a program that requires the package uses Node's
// own support for requiring a module, and resolution without `exports` (node10) was never promised.
const ATTW = ['--profile', 'esm-only', '--no-definitely-typed', '--format', 'ascii', '--no-color']

const project = join(import.meta.dirname, '..')
const folder = mkdtempSync(join(tmpdir(), 'kennel-package-'))

function run(command, args) {
  const shell = process.platform === 'win32'
  const { status, stdout, stderr } = spawnSync(command, args, { cwd: project, encoding: 'utf8', shell })
  return { passed: status === 0, stdout, output: `${stdout}${stderr}` }
}

function judge(name, script, args) {
  const { passed, output } = run(process.execPath, [join(project, 'node_modules', script), ...args])
  console.log(`${passed ? 'ok    ' : 'FAILED'} ${name}`)
  if (!passed) console.error(output.trimEnd())
  return passed
}

function check() {
  const packing = ['pack', '--json', '--ignore-scripts', '--pack-destination', folder]
  const { passed, stdout, output } = run('npm', packing)
  if (!passed) {
    console.error(output)
    return false
  }
  const [{ filename, size, entryCount }] = JSON.parse(stdout)
  console.log(`${entryCount} files, ${Math.ceil(size / 1024)} kB packed`)
  const tarball = join(folder, filename)
  const verdicts = [
    judge('publint', join('publint', 'src', 'cli.js'), ['run', tarball, '--strict']),
    judge('attw', join('@arethetypeswrong', 'cli', 'dist', 'index.js'), [tarball, ...ATTW]),
  ]
  return verdicts.every(Boolean)
}

try {
  process.exitCode = check() ? 0 : 1
} finally {
  rmSync(folder, { recursive: true })
}
