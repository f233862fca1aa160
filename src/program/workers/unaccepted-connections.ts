// Returns new connections to the primary while a worker has no free file descriptor.
import type { ChildProcess } from 'node:child_process'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Milliseconds } from '../../domain/instant.js'

/** How long a worker without a free file descriptor gets no new connections. */
const PAUSE: Milliseconds = 100

/** A connection handle, as Node passes it between processes. */
type ConnectionHandle = { close(): void }
/** The message that Node's cluster module sends with a connection; the reply repeats its number in `ack`. */
type NewConnection = { readonly cmd: 'NODE_CLUSTER'; readonly act: 'newconn'; readonly seq: number }

/**
 * Passes the unaccepted connections of a worker to the other workers when the worker dies, and resolves when all messages of the worker
 * have been read.
 *
 * Node's primary process hands over a connection, keeps it, and waits for the worker to report that the connection was accepted. If the
 * worker dies before that report, no message arrives: the connection stays open forever, its client waits, and no `disconnect` event
 * removes the worker from the list of listening workers (Node 20 to 26: `lib/internal/cluster/round_robin_handle.js`, and `_handleQueue` in
 * `lib/internal/child_process.js`). This function emits the message and the event that the dead worker did not send. The message "not
 * accepted" makes Node hand the connection to another worker. A worker sends its message before it reads from a connection, so no request
 * is started twice. If no other worker is left, the connection is closed.
 *
 * A worker without a free file descriptor receives the message without the connection. In that case, Node drops the message and by default
 * never hands a connection to this worker again. Therefore, this function calls `onLost` and, after a pause, emits "not accepted". Without
 * the pause, Node would immediately hand the same connection to this worker again, until a file descriptor is free.
 */
export async function returnUnaccepted(
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
