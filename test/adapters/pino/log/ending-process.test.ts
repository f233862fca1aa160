import { expect } from 'chai'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync, readFileSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { makeTemporaryFolder } from '../../../support/temporary-folder.js'

const ENDING_PROCESS = fileURLToPath(new URL('./ending-process-main.js', import.meta.url))
const FULL_DISK = fileURLToPath(new URL('./full-disk-main.js', import.meta.url))
const LINES = 1_000

/** Runs the process with these arguments, and returns the number of lines in its log file. Unlike a pipe, a file accepts all bytes. */
function linesInFile(...args: readonly string[]): number {
  const { path, remove } = makeTemporaryFolder()
  const file = join(path, 'log')
  const output = openSync(file, 'a')
  spawnSync(process.execPath, [ENDING_PROCESS, ...args], { stdio: ['ignore', output, 'inherit'] })
  closeSync(output)
  const lines = count(readFileSync(file, 'utf8'))
  remove()
  return lines
}

function count(text: string): number {
  return text.match(/\bline\b/g)?.length ?? 0
}

describe('the log of an exiting process', () => {
  for (const form of ['plain', 'pretty']) {
    for (const end of ['exit', 'throw', 'reject', 'do nothing more', 'kill after the delay']) {
      it(`contains every line (${form}, ${end})`, () => {
        const args = [ENDING_PROCESS, form, 'info', end]
        expect(count(String(spawnSync(process.execPath, args).stdout))).to.equal(LINES)
      })
    }

    for (const level of ['warn', 'error', 'audit', 'no request']) {
      it(`contains every line even if the process is killed immediately: ${level}, ${form}`, () => {
        expect(linesInFile(form, level, 'kill')).to.equal(LINES)
      })
    }
  }

  it('loses only deferred lines if the process is killed immediately', () => {
    expect(linesInFile('plain', 'info', 'kill')).to.be.within(LINES - 200, LINES)
  })
})

describe('the log of a process whose output cannot be written', () => {
  it('does not terminate the process if the reader has closed the pipe', async () => {
    const child = spawn(process.execPath, [ENDING_PROCESS, 'plain', 'warn', 'exit'])
    child.stdout.destroy()
    expect(await once(child, 'close')).to.deep.equal([0, null])
  })

  it('does not terminate the process if the disk is full', function () {
    if (process.platform !== 'linux') this.skip()
    const full = openSync('/dev/full', 'w')
    const args = [ENDING_PROCESS, 'plain', 'warn', 'exit']
    const { status, stderr } = spawnSync(process.execPath, args, { stdio: ['ignore', full, 'pipe'] })
    closeSync(full)
    expect([status, String(stderr)]).to.deep.equal([0, ''])
  })

  it('continues as soon as there is disk space, even after many lost lines', async function () {
    if (process.platform === 'win32') this.skip()
    const { path, remove } = makeTemporaryFolder()
    const file = join(path, 'log')
    const output = openSync(file, 'a')
    // The file size limit simulates a full disk: 4,096 blocks are 2 MiB, or 4 MiB in some shells.
    const limited = ['-c', 'ulimit -f 4096 && exec "$0" "$@"', process.execPath]
    const child = spawn('sh', [...limited, FULL_DISK], { stdio: ['pipe', output, 'pipe'] })
    closeSync(output)
    // Waits until the process has tried to write far more than the pipe can hold.
    await once(child.stderr!, 'data')
    truncateSync(file)
    child.stdin!.end()
    // If the log never continues, this test times out.
    while (!readFileSync(file, 'utf8').includes('"after"')) await pause(20)
    child.kill('SIGKILL')
    await once(child, 'close')
    remove()
  })
})
