import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { CLOCK_FILE, type Order, type Told } from './orders.js'

const MAIN = fileURLToPath(new URL('service-main.js', import.meta.url))
const NOT_STOPPED = 120_000

/** `app serve` in a process of its own. */
export type RealService = {
  /** Where it answers. */
  readonly origin: string
  readonly pid: number
  /** All that it has logged and printed. */
  readonly log: () => string
  /** Sets the wall clock of all services of this folder so many milliseconds ahead of the machine's, at once. */
  readonly setClock: (ahead: number) => void
  /** Bytes of its heap, after what is not used any more was taken away. */
  readonly heap: () => Promise<number>
  readonly metrics: () => Promise<string>
  readonly signal: (signal: NodeJS.Signals) => void
  /** The exit status, or the signal. */
  readonly ended: Promise<number | string | null>
  /** SIGTERM, and what it ended with; SIGKILL where it does not end. */
  readonly stop: () => Promise<number | string | null>
}

export type ServiceOptions = {
  /** Where it works. */
  readonly folder: string
  readonly env: Readonly<Record<string, string>>
  readonly args?: readonly string[]
}

const ENV = {
  PATH: process.env['PATH'] ?? '',
  HOME: tmpdir(),
  PORT: '0',
  METRICS_PORT: '0',
  // The port is another one after each start.
  PUBLIC_URL: 'http://127.0.0.1:3000',
  WORKERS: '1',
  LOG_LEVEL: 'debug',
  LOGIN_LIMIT: '100000/15m',
  PASSWORD_SCRYPT: '10/8/1',
  SECURITY_JWT_PASSPHRASE: 'Only-for-tests: 4 kennels & 12 hounds',
}

/** Resolves when it is ready; rejects with its log where it ends before. */
export async function startService({ folder, env, args = [] }: ServiceOptions): Promise<RealService> {
  const clock = join(folder, 'clock')
  setClock(clock, 0)
  const child = fork(MAIN, ['serve', ...args], {
    cwd: folder,
    env: { ...ENV, [CLOCK_FILE]: clock, ...env },
    execArgv: ['--expose-gc'],
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  let logged = ''
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk: Buffer) => (logged += chunk.toString()))
  const ended = once(child, 'close').then(
    ([code, signal]: (number | string | null)[]) => code ?? signal ?? null,
  )
  const origin = await untilReady(child, () => logged)
  return {
    origin,
    pid: child.pid ?? 0,
    log: () => logged,
    setClock: (ahead) => {
      setClock(clock, ahead)
    },
    heap: async () => (await tell(child, { kind: 'memory' })).heap,
    metrics: async () => await (await fetch(`${addressOf(logged, 'metrics') ?? ''}/metrics`)).text(),
    signal: (signal) => void child.kill(signal),
    ended,
    stop: async () => {
      child.kill('SIGTERM')
      const late = setTimeout(() => child.kill('SIGKILL'), NOT_STOPPED)
      const outcome = await ended
      clearTimeout(late)
      return outcome
    },
  }
}

function setClock(file: string, ahead: number): void {
  const eight = new DataView(new ArrayBuffer(8))
  eight.setFloat64(0, ahead)
  // Written over as it is: a file that were empty for a moment would be another time.
  writeFileSync(file, eight, { flag: existsSync(file) ? 'r+' : 'w' })
}

/** The files, sockets and the like that a process has open. */
export function descriptorsOf(pid: number): number {
  return readdirSync(`/proc/${pid}/fd`).length
}

async function untilReady(child: ChildProcess, log: () => string): Promise<string> {
  return await new Promise((resolve, reject) => {
    child.stdout?.on('data', () => {
      const address = addressOf(log(), 'ready')
      if (address !== undefined) resolve(address)
    })
    child.once('close', (code) => {
      reject(new Error(`the service ended with ${String(code)} before it was ready: ${log()}`))
    })
  })
}

function addressOf(log: string, event: string): string | undefined {
  return new RegExp(`"address":"([^"]+)"[^\\n]*"event":"${event}"`).exec(log)?.[1]
}

async function tell(child: ChildProcess, order: Order): Promise<Told> {
  const told = once(child, 'message') as Promise<[Told]>
  child.send(order)
  return (await Promise.race([told, once(child, 'close').then(gone)]))[0]
}

function gone(): never {
  throw new Error('the service has ended')
}
