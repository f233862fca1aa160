import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Workplace } from '../cli/app.js'
import { until } from '../cli/workers.js'
import { keepConnection, type KeptConnection } from './kept-connection.js'

/** The real service with its workers, and functions that read its log. */
export type ServiceWithWorkers = {
  readonly origin: string
  readonly deaths: () => number
  readonly errors: () => readonly string[]
  readonly pidOf: (worker: number) => number
  /** Returns the worker that handled this request, or `undefined` if the log does not contain the request yet. */
  readonly workerOf: (requestId: string | undefined) => number | undefined
  readonly pids: () => readonly number[]
  /** Sends SIGKILL only to the primary process; resolves when the process has ended. */
  killPrimary(): Promise<void>
  /** Sends SIGKILL to all processes at the same time; resolves when the primary process has ended. */
  killAll(): Promise<void>
  /** Sends SIGTERM to the primary process; resolves with its exit code. */
  stop(): Promise<number | null>
}

type Line = { readonly event: string; readonly level: string } & {
  readonly [Name in 'requestId' | 'address' | 'detail']?: string
} & { readonly worker?: number }

/** Starts the service in a workplace's folder, on a free port; rejects if the service ends before it is ready. */
export async function startWithWorkers(
  { folder, env }: Pick<Workplace, 'folder' | 'env'>,
  workers: number,
): Promise<ServiceWithWorkers> {
  const args = [join(import.meta.dirname, 'workers-main.js'), String(workers)]
  const child = spawn(process.execPath, args, { cwd: folder, env: { ...env, PORT: '0' }, detached: true })
  const ended = once(child, 'close') as Promise<[number | null]>
  child.stderr.pipe(process.stderr)
  const told = {
    ...{ origin: '', deaths: 0, errors: [] as string[] },
    ...{ pids: new Map<number, number>(), workers: new Map<string, number>() },
  }
  createInterface({ input: child.stdout }).on('line', (text) => {
    const { event, level, worker = 0, requestId, address, detail } = JSON.parse(text) as Line
    if (requestId !== undefined) told.workers.set(requestId, worker)
    if (level === 'error') told.errors.push(text)
    if (event === 'ready') told.origin = String(address)
    if (event === 'worker died') told.deaths += 1
    if (event === 'worker ready') told.pids.set(worker, Number(detail?.replace('pid ', '')))
  })
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null
  await until(() => told.origin !== '' || hasEnded())
  if (told.origin === '')
    throw new Error(`the service ended with ${String(child.exitCode)} before it was ready`)
  return {
    origin: told.origin,
    deaths: () => told.deaths,
    errors: () => told.errors,
    pidOf: (worker) => told.pids.get(worker) ?? 0,
    pids: () => [...told.pids.values()],
    killPrimary: async () => {
      child.kill('SIGKILL')
      await ended
    },
    killAll: async () => {
      if (!hasEnded()) process.kill(-Number(child.pid), 'SIGKILL')
      await ended
    },
    workerOf: (requestId) => told.workers.get(requestId ?? ''),
    stop: async () => {
      child.kill('SIGTERM')
      return (await ended)[0]
    },
  }
}

/** One connection to each worker, as the request log shows. */
export async function connectToEach({ origin, workerOf }: ServiceWithWorkers, workers: number) {
  const found = new Map<number, KeptConnection>()
  while (found.size < workers) {
    const connection = keepConnection(origin)
    await connection.send({ method: 'GET', path: '/health/live' })
    const id = connection.firstRequestId()
    await until(() => workerOf(id) !== undefined)
    const worker = workerOf(id) ?? 0
    if (found.has(worker)) connection.close()
    else found.set(worker, connection)
  }
  return [...found.values()]
}
