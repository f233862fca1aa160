import { spawn, spawnSync, type ChildProcess, type SpawnOptions } from 'node:child_process'
import { closeSync, constants, existsSync, openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect } from 'chai'
import { reservedPort } from '../support/reserved-port.js'
import { rotating } from '../support/rotation.js'
import { APP, workplaceOfTests } from './app.js'
import { onLinuxOnly, until } from './workers.js'

const OUTPUTS = ['pipe', 'socket', 'terminal'] as const
const CASES = OUTPUTS.flatMap((output) => ['1', '2'].map((workers) => ({ output, workers })))

/** Whether a process has ended, even if its parent has not yet read its status. */
function hasEnded(pid: number): boolean {
  try {
    return / Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch {
    return true
  }
}

describe('app serve if no process reads its log', () => {
  const descriptors: number[] = []

  onLinuxOnly()
  afterEach(() => {
    for (const one of descriptors.splice(0)) closeSync(one)
  })
  const place = workplaceOfTests()

  /** A pipe with a reader that reads nothing. */
  function fullPipe(): number {
    const path = join(place.folder, 'pipe')
    spawnSync('mkfifo', [path])
    descriptors.push(openSync(path, constants.O_RDONLY | constants.O_NONBLOCK))
    const end = openSync(path, 'w')
    descriptors.push(end)
    return end
  }

  function start(output: (typeof OUTPUTS)[number], env: Record<string, string>): ChildProcess {
    const command = `echo $$ > pid; exec "${process.execPath}" "${APP}" serve`
    const [program, args] =
      output === 'terminal' ? ['script', ['-qefc', command, '/dev/null']] : ['sh', ['-c', command]]
    // Node creates a socket as the pipe of a child process.
    const stdout = output === 'pipe' ? fullPipe() : 'pipe'
    const options: SpawnOptions = { cwd: place.folder, env, stdio: ['pipe', stdout, 'pipe'] }
    return place.killAtEnd(spawn(program, args, options))
  }

  for (const { output, workers } of rotating(CASES, 2))
    it(`responds and stops as usual (${output}, WORKERS=${workers})`, async () => {
      const port = await reservedPort()
      const origin = `http://127.0.0.1:${port}`
      const given = { WORKERS: workers, LOG_LEVEL: 'debug', SHUTDOWN_GRACE: '2s', TRUST_PROXY: '1' }
      const child = start(output, { ...place.env, ...given, PORT: String(port) })
      const ask = async (path: string, headers: Record<string, string> = {}) =>
        (await fetch(origin + path, { headers }).catch(() => undefined))?.status
      await until(async () => (await ask('/health/ready')) === 200)
      // More lines than all buffers together can hold.
      for (let n = 0; n < 40; n += 1) {
        const id = `request-${n}-${'x'.repeat(80)}`
        const refused = Array.from({ length: 25 }, () =>
          ask('/v1/pets', { 'X-API-Key': 'unknown', 'X-Request-Id': id }),
        )
        expect(new Set(await Promise.all(refused))).to.deep.equal(new Set([401]))
      }
      const paths = ['/health/live', '/health/ready', '/openapi.json', '/api/auth/get-identity']
      expect(await Promise.all(paths.map((path) => ask(path)))).to.deep.equal([200, 200, 200, 401])
      const file = join(place.folder, 'pid')
      expect(existsSync(file)).to.equal(true)
      const pid = Number(readFileSync(file, 'utf8'))
      process.kill(pid, 'SIGTERM')
      await until(() => hasEnded(pid))
      child.kill('SIGKILL')
      expect(await text(child.stderr!)).to.equal('')
    })
})
