import { spawn, spawnSync, type ChildProcessByStdio } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync, readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable, Writable } from 'node:stream'
import { setTimeout } from 'node:timers/promises'
import { text } from 'node:stream/consumers'

/** Where a process runs: on the server's core, on the load's core, on any core, or on the cores with these numbers. */
export type Place = 'server' | 'load' | 'anywhere' | { readonly cores: readonly number[] }

type Env = Readonly<Record<string, string>>

/** Only Linux has this command; on other systems, the scheduler places the processes. */
const KEEPS_ON_A_CORE = 'taskset'

/** True if processes are pinned to cores: there is more than one core, and the command is available. */
const PINNED = availableParallelism() > 1 && spawnSync(KEEPS_ON_A_CORE, ['-c', '0', 'true']).status === 0

/** A server in a separate process. */
export type ServerProcess = {
  readonly address: string
  readonly pid: number
  /** Sends SIGTERM and waits until the server has ended. */
  stop(): Promise<void>
}

export type ServerOptions = {
  readonly args: readonly string[]
  readonly place: Place
  readonly env?: Env
  /** The job that is written to the server's standard input. */
  readonly input?: unknown
  /** The server writes its output to a file and listens on a known address, so no other process needs to read its output. */
  readonly aside?: { readonly address: string; readonly file: string }
}

type Child = ChildProcessByStdio<Writable, Readable, null>

/** Each server is a single process, because services with several processes have a separate figure. */
const BARE = { PATH: process.env['PATH'] ?? '', NODE_ENV: 'production', WORKERS: '1' }
const running = new Set<Child>()

// No server may outlive this process.
process.on('exit', () => {
  for (const child of running) child.kill()
})

/** Processes that a failed comparison left behind would disturb the next comparison. */
export async function stopEverything(): Promise<void> {
  await Promise.all(
    Array.from(running, async (child) => {
      const ended = once(child, 'close')
      child.kill('SIGKILL')
      await ended
    }),
  )
}

/** The path of a compiled `bench` script, such as `bare/koa`. */
export function script(name: string): string {
  return join(dirname(import.meta.dirname), `${name}.js`)
}

/** Starts a server and waits until it responds, or until it prints a line of JSON that contains its `address`. */
export async function startServer(options: ServerOptions): Promise<ServerProcess> {
  const { args, place, env = {}, input, aside } = options
  const child = launch(args, place, env, aside ? openSync(aside.file, 'a') : 'pipe')
  const ended = once(child, 'close')
  child.stdin.end(JSON.stringify(input ?? null))
  const ready = aside ? answering(aside.address) : addressFrom(child)
  const address = await Promise.race([ready, ended.then(() => undefined)])
  if (address === undefined) throw new Error(`${args.join(' ')} ended before it was ready`)
  return {
    address,
    pid: child.pid ?? 0,
    stop: async () => {
      child.kill('SIGTERM')
      await ended
    },
  }
}

/** Runs a script of `bench` with its job on standard input, and parses its result as JSON. */
export async function runJob<Result>(name: string, place: Place, job: unknown): Promise<Result> {
  return JSON.parse(await runToEnd([script(name)], place, {}, job)) as Result
}

/** Runs Node with these arguments until it exits; returns its output. */
export async function runToEnd(
  args: readonly string[],
  place: Place = 'anywhere',
  env: Env = {},
  input: unknown = null,
): Promise<string> {
  const child = launch(args, place, env)
  child.stdin.end(JSON.stringify(input))
  const [output, [code]] = await Promise.all([
    text(child.stdout),
    once(child, 'close') as Promise<[number | null]>,
  ])
  if (code !== 0) throw new Error(`${args.join(' ')} ended with ${String(code)}`)
  return output
}

/** Reads this process's job, which `runJob` has sent. */
export async function readJob<Job>(): Promise<Job> {
  return JSON.parse(await text(process.stdin)) as Job
}

function launch(args: readonly string[], place: Place, env: Env, output: 'pipe' | number = 'pipe'): Child {
  const pinning = PINNED && place !== 'anywhere' ? [KEEPS_ON_A_CORE, '-c', coresOf(place)] : []
  const [program = '', ...rest] = [...pinning, process.execPath, ...args]
  const child = spawn(program, rest, {
    stdio: ['pipe', output, 'inherit'],
    env: { ...BARE, ...env },
  }) as Child
  if (output !== 'pipe') closeSync(output)
  running.add(child)
  child.once('close', () => running.delete(child))
  return child
}

function coresOf(place: Exclude<Place, 'anywhere'>): string {
  if (typeof place === 'object') return place.cores.join(',')
  return place === 'server' ? '0' : '1'
}

type Process = Pick<ServerProcess, 'pid'>

/** The pause after a load, in milliseconds, so that the garbage of its last requests can be collected. */
const QUIET = 2000

/** Returns the resident memory of a server in mebibytes after a pause; if the server has workers, the memory of the largest worker. */
export async function settledMebibytes(server: Process): Promise<number> {
  await setTimeout(QUIET)
  const workers = childrenOf(server)
  return Math.max(...(workers.length === 0 ? [server] : workers).map(residentMebibytes))
}

function residentMebibytes({ pid }: Process): number {
  return Number(/^VmRSS:\s+(\d+)/m.exec(procOf(pid, 'status'))?.[1]) / 1024
}

/**
 * Returns a process's CPU time so far, in seconds. Linux counts in hundredths of a second; on other systems the result
 * is NaN.
 */
export function cpuSeconds({ pid }: Process): number {
  const fields = procOf(pid, 'stat').split(') ')[1]?.split(' ') ?? []
  return (Number(fields[11]) + Number(fields[12])) / 100
}

/** Returns the running processes that this process has started, in order. */
export function childrenOf({ pid }: Process): readonly Process[] {
  const pids = procOf(pid, `task/${pid}/children`).match(/\d+/g) ?? []
  return pids.map((child) => ({ pid: Number(child) }))
}

/** Reads a file about a process; the result is empty if the system is not Linux. */
function procOf(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8')
  } catch {
    return ''
  }
}

/** Moves a running process with all its threads to another core; its child processes stay on their cores. */
export function moveTo(cores: readonly number[], { pid }: Process): void {
  if (PINNED) spawnSync(KEEPS_ON_A_CORE, ['-a', '-p', '-c', cores.join(','), String(pid)])
}

/** Returns the address as soon as the service is ready; until then, the port is bound but replies with 503. */
async function answering(address: string): Promise<string> {
  for (;;) {
    const isThere = await fetch(`${address}/health/ready`).then(
      ({ ok }) => ok,
      () => false,
    )
    if (isThere) return address
    await setTimeout(50)
  }
}

/** Further output of the server is read and discarded, because a full pipe would block the server. */
function addressFrom({ stdout }: Child): Promise<string | undefined> {
  return new Promise((resolve) => {
    const lines = createInterface({ input: stdout })
    lines.on('line', (line) => {
      const { address, event } = JSON.parse(line) as { address?: string; event?: string }
      if (address === undefined || event === 'metrics') return
      resolve(address)
      lines.close()
    })
    lines.on('close', () => {
      resolve(undefined)
      stdout.resume()
    })
  })
}
