import cluster from 'node:cluster'
import type { ChildProcess } from 'node:child_process'
import { Readable } from 'node:stream'
import { nodeOptions } from '../../configuration/environment.js'
import {
  type Failure,
  type Start,
  type ToPrimary,
  type ToWorker,
  workerArguments,
  workerHeap,
} from './protocol.js'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Milliseconds } from '../../domain/instant.js'

/** How a worker ended: its signal or exit status, and its last messages. */
export type Ending = Failure & { readonly how: string }

type Reply<Kind extends ToPrimary['kind']> = Extract<ToPrimary, { kind: Kind }>

export type WorkerProcess = {
  /** Numbered from 1; a replacement reuses the number of the dead worker. */
  readonly number: number
  readonly pid: number
  readonly stdout: NodeJS.ReadableStream
  readonly stderr: NodeJS.ReadableStream
  tell(message: ToWorker): void
  /** Sends a message and resolves with the next message of this kind; rejects with a `WorkerEnded` if the worker ends first. */
  ask<Kind extends ToPrimary['kind']>(message: ToWorker, kind: Kind): Promise<Reply<Kind>>
  /** Calls `hear` for every message of this kind, until the returned function is called. */
  on<Kind extends ToPrimary['kind']>(kind: Kind, hear: (message: Reply<Kind>) => void): () => void
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

function streamOf(stream: NodeJS.ReadableStream | null | undefined): NodeJS.ReadableStream {
  return stream ?? Readable.from([])
}

/** How long a worker without a free file descriptor gets no new connections. */
const PAUSE: Milliseconds = 100

type ConnectionHandle = { close(): void }
/** The message that Node's cluster module sends with a connection; the reply repeats its number in `ack`. */
type NewConnection = { readonly cmd: 'NODE_CLUSTER'; readonly act: 'newconn'; readonly seq: number }

/**
 * When a worker dies, passes the connections that it has not accepted to the other workers. Resolves when all of its messages have been
 * read.
 *
 * Node's primary process hands over a connection, keeps it, and waits for the worker to report that the connection was accepted. If the
 * worker dies before that report, no message arrives: the connection stays open forever, its client waits, and no `disconnect` event
 * removes the worker from the list of listening workers (Node 20 to 26: `lib/internal/cluster/round_robin_handle.js`, and `_handleQueue` in
 * `lib/internal/child_process.js`). This function emits the message and the event that the dead worker did not send. The message "not
 * accepted" makes Node hand the connection to another worker. A worker reports that it accepted a connection before it reads from the
 * connection, so no request is started twice. If no other worker is left, the connection is closed.
 *
 * A worker without a free file descriptor receives the message without the connection. In that case, Node drops the message and by default
 * never hands a connection to this worker again. Therefore, this function calls `onLost` and, after a pause, emits "not accepted". Without
 * the pause, Node would immediately hand the same connection to this worker again, until a file descriptor is free.
 */
async function returnUnaccepted(
  worker: ChildProcess,
  isAnyLeft: () => boolean,
  onLost: () => void,
): Promise<void> {
  const refuse = (ack: number) =>
    worker.emit('internalMessage', { cmd: 'NODE_CLUSTER', ack, accepted: false })
  const unaccepted = watchUnaccepted(worker, (seq) => {
    onLost()
    setTimeout(() => unaccepted.has(seq) && refuse(seq), PAUSE)
  })
  const seen: { disconnect?: true } = {}
  worker.once('disconnect', () => (seen.disconnect = true))
  await new Promise((resolve) => worker.once('exit', resolve))
  while (worker.connected) await nextTurn()
  await nextTurn()
  if (!seen.disconnect) worker.emit('disconnect')
  for (const [ack, handle] of unaccepted) {
    if (isAnyLeft()) refuse(ack)
    else handle.close()
  }
  unaccepted.clear()
}

/**
 * Returns the unaccepted connections of a worker by message number. Calls `onLost` with the number of each message that arrived without its
 * connection.
 */
function watchUnaccepted(worker: ChildProcess, onLost: (seq: number) => void): Map<number, ConnectionHandle> {
  const unaccepted = new Map<number, ConnectionHandle>()
  // Node sends the next connection only after the worker has reported that the previous connection arrived.
  const unreceived: number[] = []
  const send = worker.send.bind(worker) as (...args: readonly unknown[]) => boolean
  worker.send = (message: unknown, handle?: unknown, ...rest: readonly unknown[]) => {
    if (isNewConnection(message)) {
      unaccepted.set(message.seq, handle as ConnectionHandle)
      unreceived.push(message.seq)
    }
    return send(message, handle, ...rest)
  }
  worker.on('internalMessage', ({ cmd, ack }: { readonly cmd: string; readonly ack?: number }) => {
    if (ack !== undefined) unaccepted.delete(ack)
    if (!cmd.startsWith('NODE_HANDLE_')) return
    const seq = unreceived.shift()
    if (cmd === 'NODE_HANDLE_NACK' && seq !== undefined) onLost(seq)
  })
  return unaccepted
}

function isNewConnection(message: unknown): message is NewConnection {
  return typeof message === 'object' && message !== null && 'act' in message && message.act === 'newconn'
}
