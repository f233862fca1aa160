import type { ChildProcess } from 'node:child_process'
import { setImmediate as nextTurn } from 'node:timers/promises'

/** A handle of a connection, as Node passes it between processes. */
type ConnectionHandle = { close(): void }
/** What Node's cluster module sends with a connection; `ack` comes back with the number. */
type NewConnection = { readonly cmd: 'NODE_CLUSTER'; readonly act: 'newconn'; readonly seq: number }

/**
 * Gives the unaccepted connections of a dead worker to the other workers, and resolves when all its messages have been
 * read.
 *
 * Node's primary process hands a connection over, waits for the worker to say that it was accepted, and keeps it until
 * then. If the worker dies in between, no message comes: the connection stays open for ever, its client waits, and no
 * `disconnect` event takes the worker off the list of listening workers (Node 20 to 26:
 * `lib/internal/cluster/round_robin_handle.js`, and `_handleQueue` in `lib/internal/child_process.js`). This function emits
 * both for the dead worker. "Not accepted" makes Node hand the connection to another worker. A worker sends its message
 * before it reads from a connection, so no request is begun twice. Without any other worker the connection is closed.
 */
export async function returnUnaccepted(worker: ChildProcess, isAnyLeft: () => boolean): Promise<void> {
  const unaccepted = watchUnaccepted(worker)
  const seen: { disconnect?: true } = {}
  worker.once('disconnect', () => (seen.disconnect = true))
  await new Promise((resolve) => worker.once('exit', resolve))
  while (worker.connected) await nextTurn()
  await nextTurn()
  if (!seen.disconnect) worker.emit('disconnect')
  for (const [ack, handle] of unaccepted) {
    if (isAnyLeft()) worker.emit('internalMessage', { cmd: 'NODE_CLUSTER', ack, accepted: false })
    else handle.close()
  }
}

/** The connections of a worker that it has not accepted yet, by the numbers of their messages. */
function watchUnaccepted(worker: ChildProcess): ReadonlyMap<number, ConnectionHandle> {
  const unaccepted = new Map<number, ConnectionHandle>()
  const send = worker.send.bind(worker) as (...args: readonly unknown[]) => boolean
  worker.send = (message: unknown, handle?: unknown, ...rest: readonly unknown[]) => {
    if (isNewConnection(message)) unaccepted.set(message.seq, handle as ConnectionHandle)
    return send(message, handle, ...rest)
  }
  worker.on('internalMessage', ({ ack }: { readonly ack?: number }) => {
    if (ack !== undefined) unaccepted.delete(ack)
  })
  return unaccepted
}

function isNewConnection(message: unknown): message is NewConnection {
  return typeof message === 'object' && message !== null && 'act' in message && message.act === 'newconn'
}
