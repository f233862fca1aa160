import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { refuse } from '../../domain/refusal.js'
import type { HashTask } from './in-thread/hash-task.js'

/** Runs a task in the thread. Rejects with an `overloaded` Refusal if the thread ends or takes too long. */
type HashThread = (task: HashTask) => Promise<Uint8Array>

type HashThreadOptions = {
  /** Maximum duration of one task, after which the thread is terminated. */
  readonly timeout: number
  /** How long the thread may be idle before it is terminated, so that it releases the memory of WebAssembly. */
  readonly idle: number
}

/**
 * Creates a thread that computes one task at a time; it starts with the first task, and does not keep the process alive while it is idle.
 * The thread runs source code from a string, because a bundle has no separate file for it.
 */
export function createHashThread({ timeout, idle }: HashThreadOptions): HashThread {
  let worker: Promise<Worker> | undefined
  let idling: NodeJS.Timeout | undefined
  let last: Promise<unknown> = Promise.resolve()

  function start(): Promise<Worker> {
    const forget = () => {
      if (worker === started) worker = undefined
    }
    const started = startWorker(forget)
    // After a failed start, the next task starts a new thread.
    started.catch(forget)
    return started
  }

  async function end(): Promise<void> {
    const ending = worker
    worker = undefined
    await (await ending)?.terminate()
  }

  async function compute(task: HashTask): Promise<Uint8Array> {
    clearTimeout(idling)
    const running = await (worker ??= start()).catch((error: unknown) => {
      throw threadEnded(error)
    })
    running.ref()
    try {
      return await answerOf(running, task, timeout)
    } catch (error) {
      await end()
      throw threadEnded(error)
    } finally {
      running.unref()
      idling = setTimeout(() => void end(), idle).unref()
    }
  }

  return (task) => {
    const computed = last.then(() => compute(task))
    last = computed.catch(() => undefined)
    return computed
  }
}

async function startWorker(onEnd: () => void): Promise<Worker> {
  const { THREAD } = await import('./thread-source.js')
  const worker = new Worker(THREAD, { eval: true, execArgv: [] })
  // An error in an idle thread must not end the process; the next task starts another thread.
  worker.on('error', onEnd).on('exit', onEnd)
  return worker
}

async function answerOf(worker: Worker, task: HashTask, timeout: number): Promise<Uint8Array> {
  const settled = new AbortController()
  const answer = once(worker, 'message', settled)
  const exit = once(worker, 'exit', settled)
  const late = pause(timeout, undefined, settled)
  worker.postMessage(task)
  try {
    const message = (await Promise.race([answer, exit, late])) as readonly unknown[] | undefined
    if (!message) throw new Error(`no result after ${timeout} ms`)
    if (message[0] instanceof Uint8Array) return message[0]
    throw new Error('the thread ended without a result')
  } finally {
    settled.abort()
  }
}

function threadEnded(error: unknown): Error {
  const detail = `the thread for imported hashes: ${error instanceof Error ? error.message : String(error)}`
  return refuse('overloaded', 'TooMany', 'Too many requests, try again shortly.', detail)
}

/** This process's thread for algorithms that would block the event loop. */
export const inThread = createHashThread({ timeout: 60_000, idle: 10_000 })
