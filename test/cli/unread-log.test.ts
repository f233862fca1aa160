import { spawn, spawnSync, type ChildProcess, type SpawnOptions } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, constants, openSync, readSync, writeSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { reservedPort } from '../support/reserved-port.js'
import { APP, credentialsIn, type Workplace, workplaceOfTests } from './app.js'
import { onLinuxOnly, until } from './workers.js'
import { text } from 'node:stream/consumers'
import { rotating } from '../support/rotation.js'

const PASSWORD = 'a good long password'
const STATELESS = { IDENTITY_STATELESS: 'true', STATELESS_REVOCATION: 'store' }
const IN_LOG = { AUDIT: 'log', WORKERS: '1' }
const IN_BOTH = { AUDIT: 'store,log', WORKERS: '1' }

/** Pipes and other files, which are closed after each test of the surrounding `describe`. */
function descriptorsOfTests(place: Workplace) {
  const descriptors: number[] = []
  afterEach(() => {
    for (const one of descriptors.splice(0)) closeSync(one)
  })
  const opened = (path: string, flags: number): number => {
    const descriptor = openSync(path, flags)
    descriptors.push(descriptor)
    return descriptor
  }
  /** A pipe whose reader has not read anything. */
  const pipe = () => {
    const path = join(place.folder, 'pipe')
    spawnSync('mkfifo', [path])
    const reader = opened(path, constants.O_RDONLY | constants.O_NONBLOCK)
    return { reader, path }
  }
  return { opened, pipe }
}

describe('app serve when its audit records cannot be written', () => {
  onLinuxOnly()
  const place = workplaceOfTests()
  const { opened, pipe } = descriptorsOfTests(place)

  /** A full pipe, and a function that reads the whole content of the pipe. */
  function fullPipe() {
    const { reader, path } = pipe()
    const end = opened(path, constants.O_WRONLY | constants.O_NONBLOCK)
    while (isDone(() => writeSync(end, 'x'.repeat(4_095) + '\n'))) continue
    let text = ''
    const readAll = () => {
      const bytes = Buffer.alloc(65_536)
      while (isDone(() => (text += bytes.toString('utf8', 0, readSync(reader, bytes))))) continue
      return text
    }
    return { end, readAll }
  }

  async function start(stdout: number | 'pipe', env: Record<string, string>) {
    for (const email of ['boss@example.com', 'ada@example.com'])
      await place.run(`user create ${email} --password-stdin`, { input: PASSWORD })
    await place.run('role create admin Administrator')
    await place.run('user role boss@example.com admin')
    const [port, metricsPort] = [await reservedPort(), await reservedPort()]
    const all = {
      ...place.env,
      ...env,
      ...{ SHUTDOWN_GRACE: '1s', PORT: String(port), METRICS_PORT: String(metricsPort) },
    }
    const child = spawn(process.execPath, [APP, 'serve'], {
      ...{ cwd: place.folder, env: all },
      stdio: ['ignore', stdout, 'inherit'],
    })
    const service = serviceOf(place.killAtEnd(child), port, metricsPort)
    child.stdout?.resume()
    await until(async () => (await service.readiness()) === 200)
    return {
      service,
      boss: (await service.post('login', { email: 'boss@example.com', password: PASSWORD })).credentials,
    }
  }

  for (const env of [IN_LOG, { ...IN_BOTH, WORKERS: '2' }])
    it(`refuses login-as while the log reader stalls, and permits it when the reader continues (${textOf(env)})`, async () => {
      const { end, readAll } = fullPipe()
      const { service, boss } = await start(end, env)
      const loginAs = async () => await service.post('login-as', { userId: 2 }, boss)
      expect([(await loginAs()).status, await service.readiness()]).to.deep.equal([503, 503])
      expect(readAll()).not.to.contain('impersonation')
      await until(async () => {
        readAll()
        return (await service.readiness()) === 200
      })
      expect((await loginAs()).status).to.equal(200)
      expect(readAll().match(/impersonation\.start/g)).to.have.lengthOf(1)
      expect([await service.lost(), await service.stop()]).to.deep.equal([0, 0])
    })

  for (const env of [
    { ...IN_BOTH, ...STATELESS },
    { ...IN_LOG, WORKERS: '2' },
  ])
    it(`refuses logout-as once the reader of the log has closed the pipe, and counts the lost records (${textOf(env)})`, async () => {
      const { service, boss } = await start('pipe', env)
      const begun = await service.post('login-as', { userId: 2 }, boss)
      expect([begun.status, await service.lost()]).to.deep.equal([200, 0])
      service.child.stdout?.destroy()
      const ended = await service.post('logout-as', {}, begun.credentials)
      expect([ended.status, await service.readiness()]).to.deep.equal([503, 503])
      const before = await service.lost()
      const login = await service.post('login', { email: 'ada@example.com', password: PASSWORD })
      await until(async () => (await service.lost()) > before)
      expect([login.status, await service.stop()]).to.deep.equal([200, 0])
    })

  it('refuses login-as while the disk of the log is full', async () => {
    const env = { ...IN_LOG, WORKERS: '2' }
    const { service, boss } = await start(opened('/dev/full', constants.O_WRONLY), env)
    const { status } = await service.post('login-as', { userId: 2 }, boss)
    expect([status, await service.readiness(), await service.stop()]).to.deep.equal([503, 503, 0])
  })

  it('permits login-as without a log line if AUDIT does not include the log', async () => {
    const { service, boss } = await start(fullPipe().end, { AUDIT: 'store', WORKERS: '1' })
    const { status } = await service.post('login-as', { userId: 2 }, boss)
    expect([status, await service.readiness(), await service.stop()]).to.deep.equal([200, 200, 0])
  })
})

function serviceOf(child: ChildProcess, port: number, metricsPort: number) {
  const origin = `http://127.0.0.1:${port}`
  const ended = once(child, 'exit') as Promise<[number | null]>
  return {
    child,
    readiness: async () => (await fetch(`${origin}/health/ready`).catch(() => undefined))?.status,
    lost: async () => {
      const text = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text()
      return Number(/^kennel_audit_lines_dropped_total (\d+)$/m.exec(text)?.[1])
    },
    post: async (name: string, body: object, credentials?: Readonly<Record<string, string>>) => {
      const headers = { 'Content-Type': 'application/json', Connection: 'close', ...credentials }
      const given = { method: 'POST', headers, body: JSON.stringify(body) }
      const reply = await fetch(`${origin}/api/auth/${name}`, given)
      return { status: reply.status, credentials: await credentialsIn(reply) }
    },
    stop: async () => {
      child.kill('SIGTERM')
      return (await ended)[0]
    },
  }
}

function textOf(env: Record<string, string>): string {
  return Object.entries(env)
    .map(([name, value]) => `${name}=${value}`)
    .join(' ')
}

/** Returns `false` if `act` fails because the pipe is full or empty. */
function isDone(act: () => unknown): boolean {
  try {
    act()
    return true
  } catch {
    return false
  }
}

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
  onLinuxOnly()
  const place = workplaceOfTests()
  const { opened, pipe } = descriptorsOfTests(place)

  function start(output: (typeof OUTPUTS)[number], env: Record<string, string>): ChildProcess {
    const command = `echo $$ > pid; exec "${process.execPath}" "${APP}" serve`
    const [program, args] =
      output === 'terminal' ? ['script', ['-qefc', command, '/dev/null']] : ['sh', ['-c', command]]
    // For 'pipe', Node creates a socket, not a pipe.
    const stdout = output === 'pipe' ? opened(pipe().path, constants.O_WRONLY) : 'pipe'
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
      const pid = Number(readFileSync(join(place.folder, 'pid'), 'utf8'))
      process.kill(pid, 'SIGTERM')
      await until(() => hasEnded(pid))
      child.kill('SIGKILL')
      expect(await text(child.stderr!)).to.equal('')
    })
})
