import { spawn, spawnSync, type ChildProcessByStdio } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync, readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable, Writable } from 'node:stream'
import { setTimeout } from 'node:timers/promises'
import { text } from 'node:stream/consumers'

/** The server's core, the load's core, any core, or some by their numbers. */
export type Place = 'server' | 'load' | 'anywhere' | { readonly cores: readonly number[] }

/** Linux has this command; on other systems the scheduler places the processes. */
const KEEPS_ON_A_CORE = 'taskset'

/** True if processes are pinned to a core: there is more than one core, and a command for it. */
export const PINNED =
  availableParallelism() > 1 && spawnSync(KEEPS_ON_A_CORE, ['-c', '0', 'true']).status === 0

/** A server in a separate process. */
export type ServerProcess = {
  readonly address: string
  readonly pid: number
  /** Ends it with SIGTERM and waits until it has ended. */
  stop(): Promise<void>
}

export type ServerOptions = {
  readonly args: readonly string[]
  readonly place: Place
  readonly env?: Readonly<Record<string, string>>
  /** Written to its standard input. */
  readonly input?: unknown
  /** Writes its output into a file, and listens at a known address: no other process has to read its output. */
  readonly aside?: { readonly address: string; readonly file: string }
  /** Another Node binary; this one by default. */
  readonly node?: string
}

/** The pause after a load, in milliseconds. */
const QUIET = 2000

type Child = ChildProcessByStdio<Writable, Readable, null>

/** A single process each: several processes are a separate figure. */
const BARE = { PATH: process.env['PATH'] ?? '', NODE_ENV: 'production', WORKERS: '1' }
const running = new Set<Child>()

// No server outlives this process.
process.on('exit', () => {
  for (const child of running) child.kill()
})

/** Processes left over from a failed comparison would disturb the next one. */
export async function stopEverything(): Promise<void> {
  await Promise.all(
    Array.from(running, async (child) => {
      const ended = once(child, 'close')
      child.kill('SIGKILL')
      await ended
    }),
  )
}

/** The path of a compiled script of `bench`, such as `bare/koa`. */
export function script(name: string): string {
  return join(dirname(import.meta.dirname), `${name}.js`)
}

/**
 * Starts a server and waits until it answers, or until it prints a line of JSON that holds its `address`.
 */
export async function startServer({
  args,
  place,
  env = {},
  input,
  aside,
  node,
}: ServerOptions): Promise<ServerProcess> {
  const child = launch(args, place, env, { node, output: aside && openSync(aside.file, 'a') })
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

/** The resident memory of a process, in mebibytes. */
export function residentMebibytes(pid: number): number {
  return residentKibibytes(pid) / 1024
}

/** The same for a server, after the garbage of its last requests has been collected. */
export async function settledMebibytes({ pid }: Pick<ServerProcess, 'pid'>): Promise<number> {
  await setTimeout(QUIET)
  return residentMebibytes(pid)
}

/** The same for the largest process that a server has started, its workers. */
export async function settledWorkerMebibytes(server: ServerProcess): Promise<number> {
  const workers = childrenOf(server)
  if (workers.length === 0) throw new Error('the server has no workers')
  return Math.max(...(await Promise.all(workers.map(settledMebibytes))))
}

function residentKibibytes(pid: number): number {
  try {
    return Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1])
  } catch {
    return Number(spawnSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' }).stdout)
  }
}

/** Runs a Node with these arguments until it ends by itself; its output is discarded. */
export async function runToEnd(
  node: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
  place: Place = 'anywhere',
): Promise<void> {
  const child = launch(args, place, env, { node })
  child.stdout.resume()
  const [code] = (await once(child, 'close')) as [number | null]
  if (code !== 0) throw new Error(`${args.join(' ')} ended with ${String(code)}`)
}

/**
 * Runs a script of `bench`, such as `load/load`, that reads its job from standard input and prints its result on
 * standard output.
 */
export async function runJob<Result>(name: string, place: Place, job: unknown): Promise<Result> {
  return await runProgram<Result>([script(name)], place, job)
}

/** The same for any program. */
export async function runProgram<Result>(
  args: readonly string[],
  place: Place,
  job: unknown,
): Promise<Result> {
  const child = launch(args, place, {})
  child.stdin.end(JSON.stringify(job))
  const [output, [code]] = await Promise.all([
    text(child.stdout),
    once(child, 'close') as Promise<[number | null]>,
  ])
  if (code !== 0) throw new Error(`${args.join(' ')} ended with ${String(code)}`)
  return JSON.parse(output) as Result
}

/** The other side of `runJob`: the job of this process. */
export async function readJob<Job>(): Promise<Job> {
  return JSON.parse(await text(process.stdin)) as Job
}

function launch(
  args: readonly string[],
  place: Place,
  env: Readonly<Record<string, string>>,
  {
    output = 'pipe',
    node = process.execPath,
  }: { readonly output?: 'pipe' | number | undefined; readonly node?: string | undefined } = {},
): Child {
  const pinning = PINNED && place !== 'anywhere' ? [KEEPS_ON_A_CORE, '-c', coreOf(place)] : []
  const [command = node, ...rest] = [...pinning, node, ...args]
  const child = spawn(command, rest, {
    stdio: ['pipe', output, 'inherit'],
    env: { ...BARE, ...env },
  }) as Child
  if (output !== 'pipe') closeSync(output)
  running.add(child)
  child.once('close', () => running.delete(child))
  return child
}

/** The running processes that it has started, in order. */
export function childrenOf({ pid }: ServerProcess): readonly Pick<ServerProcess, 'pid'>[] {
  try {
    const pids = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').match(/\d+/g) ?? []
    return pids.map((child) => ({ pid: Number(child) }))
  } catch {
    const { stdout } = spawnSync('ps', ['-A', '-o', 'ppid=,pid='], { encoding: 'utf8' })
    const pairs = stdout.split('\n').map((line) => line.trim().split(/\s+/).map(Number))
    return pairs.flatMap(([parent, child]) => (parent === pid && child !== undefined ? [{ pid: child }] : []))
  }
}

/** Moves a running process with all of its threads; its child processes stay. */
export function moveTo(
  { cores }: { readonly cores: readonly number[] },
  { pid }: Pick<ServerProcess, 'pid'>,
): void {
  if (PINNED) spawnSync(KEEPS_ON_A_CORE, ['-a', '-p', '-c', cores.join(','), String(pid)])
}

function coreOf(place: Exclude<Place, 'anywhere'>): string {
  if (typeof place === 'object') return place.cores.join(',')
  return place === 'server' ? '0' : '1'
}

/** Returns the address once the service there is ready: a bound port answers with 503 before that. */
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

/** Later output of the server is read and discarded, because a full pipe would stop its writer. */
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
