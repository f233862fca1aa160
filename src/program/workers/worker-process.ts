import cluster from 'node:cluster'
import type { ChildProcess } from 'node:child_process'
import { Readable } from 'node:stream'
import { nodeOptions } from '../../configuration/environment.js'
import type { Failure, Start, ToPrimary, ToWorker } from './messages.js'
import { returnUnaccepted } from './unaccepted-connections.js'
import { workerArguments, workerHeap } from './worker-command-line.js'

/** How a worker ended: its signal or exit status, and its last messages. */
export type Ending = Failure & { readonly how: string }

type Reply<Kind extends ToPrimary['kind']> = Extract<ToPrimary, { kind: Kind }>

/** The primary's handle for a worker process. */
export type WorkerProcess = {
  /** A number from 1; a replacement reuses the number of the dead worker. */
  readonly number: number
  readonly pid: number
  readonly stdout: NodeJS.ReadableStream
  readonly stderr: NodeJS.ReadableStream
  tell(message: ToWorker): void
  /** Sends a message and resolves with the next message of this kind; rejects with a `WorkerEnded` if the worker ends first. */
  ask<Kind extends ToPrimary['kind']>(message: ToWorker, kind: Kind): Promise<Reply<Kind>>
  /** Calls `hear` for every message of this kind, until the returned function is called. */
  on<Kind extends ToPrimary['kind']>(kind: Kind, hear: (message: Reply<Kind>) => void): () => void
  /** Never rejects. */
  readonly ended: Promise<Ending>
  kill(): void
}

/** Thrown if a worker ends while a caller waits for its message. */
export class WorkerEnded extends Error {
  readonly worker: number
  readonly ending: Ending

  constructor(worker: number, ending: Ending) {
    super(`worker ${worker} ended (${ending.how})`)
    this.name = 'WorkerEnded'
    this.worker = worker
    this.ending = ending
  }
}

/**
 * Starts a worker; its output can be read from its streams. Calls `onLost` if the worker had no free file descriptor for a new connection.
 */
export function forkWorker(start: Start, onLost: () => void = () => undefined): WorkerProcess {
  cluster.setupPrimary({
    args: workerArguments(start.worker),
    execArgv: [...workerHeap(process.execArgv, nodeOptions())],
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  const worker = cluster.fork()
  const child = worker.process
  // Errors need no handling here: a lost message gets no reply, and `endingOf` handles the exit of a worker.
  worker.on('error', () => undefined)
  const ended = endingOf(child, onLost)
  const on: WorkerProcess['on'] = (kind, hear) => {
    const take = (message: ToPrimary) => {
      if (message.kind === kind) hear(message as Parameters<typeof hear>[0])
    }
    child.on('message', take)
    return () => child.off('message', take)
  }
  // A message sent before `begun` would not reach the worker's code.
  const begun = new Promise<unknown>((resolve) => on('begun', resolve))
  const tell = (message: ToWorker) => void begun.then(() => child.connected && child.send(message))
  tell(start)
  return {
    number: start.worker,
    pid: child.pid ?? 0,
    stdout: streamOf(child.stdout),
    stderr: streamOf(child.stderr),
    tell,
    on,
    ask: async (message, kind) => {
      let forget: () => void = () => undefined
      const answer = new Promise<Reply<typeof kind>>((resolve) => {
        forget = on(kind, resolve)
      })
      tell(message)
      const end = ended.then((ending) => Promise.reject(new WorkerEnded(start.worker, ending)))
      return await Promise.race([answer, end]).finally(forget)
    },
    ended,
    kill: () => {
      if (child.pid !== undefined) child.kill('SIGKILL')
    },
  }
}

/** Returns the unexpected error that ended a worker, with the worker's stack trace. */
export function unexpectedError({ stack, code }: Ending): Error | undefined {
  if (stack === undefined) return undefined
  const error = new Error(stack.split('\n', 1)[0])
  error.stack = stack
  return code === undefined ? error : Object.assign(error, { code })
}

async function endingOf(child: ChildProcess, onLost: () => void): Promise<Ending> {
  let said: Failure = { sentences: [] }
  child.on('message', (message: ToPrimary) => {
    if (message.kind === 'failed') said = message
  })
  // Node emits no `exit` for a process that could not start because memory or descriptors had run out, or because the program was not
  // found.
  child.once('error', (error: NodeJS.ErrnoException) => {
    if (child.pid !== undefined) return
    said = { sentences: [`a worker process cannot be started (${error.code ?? error.name})`] }
    child.emit('exit', 1, null)
  })
  // A process that could not start has no message channel.
  const returned = child.pid === undefined ? undefined : returnUnaccepted(child, isAnyConnected, onLost)
  const how = await new Promise<string>((resolve) => {
    child.once('exit', (code, signal) => resolve(signal ?? `status ${String(code)}`))
  })
  await returned
  const { sentences, stack, code } = said
  return { how, sentences, stack, code }
}

function isAnyConnected(): boolean {
  return Object.values(cluster.workers ?? {}).some((worker) => worker?.isConnected())
}

/** Returns an empty stream if the process could not start. */
function streamOf(stream: NodeJS.ReadableStream | null | undefined): NodeJS.ReadableStream {
  return stream ?? Readable.from([])
}
