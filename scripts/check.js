// Runs every gate of the project: first the compile, because other gates read its output; then the gates that only
// read, two at a time, each with its output in one piece; then the tests of CI, or with `--all` the complete matrix.
// The other options go to test.js. All failing gates are shown together.
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'

const READING_GATES = ['lint', 'unused', 'layers', 'format', 'package', 'reference', 'generated']
const AT_ONCE = 2
const project = join(import.meta.dirname, '..')

// Some tools colour their output whenever they detect CI, even in a file.
const colours = process.stdout.isTTY ? process.env : { ...process.env, NO_COLOR: '1' }

/** Runs one npm script to its end; its output is kept until then, or printed as it arrives if `shown` is set. */
function run(script, shown, options) {
  const begun = performance.now()
  return new Promise((resolve) => {
    const stdio = shown ? 'inherit' : ['ignore', 'pipe', 'pipe']
    const child = spawn('npm', ['run', '--silent', script, '--', ...options], {
      cwd: project,
      env: colours,
      stdio,
      shell: process.platform === 'win32',
    })
    const output = []
    child.stdout?.on('data', (chunk) => output.push(chunk))
    child.stderr?.on('data', (chunk) => output.push(chunk))
    child.on('error', (error) => resolve({ passed: false, seconds: 0, output: String(error) }))
    child.on('close', (code) => {
      const seconds = (performance.now() - begun) / 1000
      resolve({ passed: code === 0, seconds, output: Buffer.concat(output).toString() })
    })
  })
}

async function gate(script, shown = false, options = []) {
  const { passed, seconds, output } = await run(script, shown, options)
  console.log(`${passed ? 'ok    ' : 'FAILED'} ${script} (${seconds.toFixed(1)} s)`)
  if (output.trim() !== '') console.log(output.trimEnd().replace(/^/gm, '       '))
  return passed
}

async function readingGates() {
  const waiting = READING_GATES.map((name) => `check:${name}`)
  const results = []
  async function worker() {
    for (let next = waiting.shift(); next; next = waiting.shift()) results.push(await gate(next))
  }
  await Promise.all(Array.from({ length: AT_ONCE }, worker))
  return results.every(Boolean)
}

const isComplete = process.argv.includes('--all')
const options = process.argv.slice(2).filter((one) => one !== '--all')
const tests = () => gate(isComplete ? 'test:all' : 'test:ci', true, options)
const onlyPrints = options.at(-1) === '--plan'
const gates = async () => onlyPrints || (await readingGates())
// The tests need only the compile, so one run of CI shows all errors.
const passed = (await gate('check:types')) && [await gates(), await tests()].every(Boolean)
process.exitCode = passed ? 0 : 1
