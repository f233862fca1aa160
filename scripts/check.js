// Runs every gate of the project, two at a time: first the compilation and lint, which takes longest; then the gates that read the build;
// then the tests of CI, or with `--all` the complete matrix. Other options go to test.js. All failing gates are reported together.
import { execFile, spawnSync } from 'node:child_process'
import { performance } from 'node:perf_hooks'
import { promisify } from 'node:util'
import { PROJECT } from './files.js'

const waiting = ['format', 'package', 'reference', 'unused', 'layers', 'generated']
const npm = {
  cwd: PROJECT,
  shell: process.platform === 'win32',
  // Some tools color their output whenever they detect CI, even if it goes to a file.
  env: process.stdout.isTTY ? process.env : { ...process.env, NO_COLOR: '1' },
  maxBuffer: Infinity,
}
const options = process.argv.slice(2).filter((one) => one !== '--all')
const results = []

function report(script, passed, begun) {
  const seconds = ((performance.now() - begun) / 1000).toFixed(1)
  console.log(`${passed ? 'ok    ' : 'FAILED'} ${script} (${seconds} s)`)
  results.push(passed)
}

/** Runs a gate, and prints its output in one piece if it fails. */
async function gate(script) {
  const begun = performance.now()
  const running = promisify(execFile)('npm', ['run', '--silent', script], npm)
  const failure = await running.then(() => undefined).catch((error) => error)
  report(script, failure === undefined, begun)
  if (failure) console.log(`${failure.stdout}${failure.stderr}`.trimEnd().replace(/^/gm, '       '))
  return failure === undefined
}

async function worker() {
  for (let next = waiting.shift(); next; next = waiting.shift()) await gate(`check:${next}`)
}

function test() {
  const begun = performance.now()
  const script = process.argv.includes('--all') ? 'test:all' : 'test:ci'
  const command = ['run', '--silent', script, '--', ...options]
  report(script, spawnSync('npm', command, { ...npm, stdio: 'inherit' }).status === 0, begun)
}

const lint = gate('check:lint')
const isCompiled = await gate('check:types')
await Promise.all(isCompiled ? [worker(), lint.then(worker)] : [lint])
// The tests run even if other gates have failed, so that one CI run shows all errors.
if (isCompiled) test()
process.exitCode = results.every(Boolean) ? 0 : 1
