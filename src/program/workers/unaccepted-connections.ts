import type { ChildProcess } from 'node:child_process'
import { setImmediate as nextTurn } from 'node:timers/promises'

/** A handle of a connection, as Node passes it between processes. */
type ConnectionHandle = { close(): void }
/** What Node's cluster module sends with a connection; `ack` comes back with the number. */
type NewConnection = { readonly cmd: 'NODE_CLUSTER'; readonly act: 'newconn'; readonly seq: number }

/**
 * Gives connections of a worker that has died to the others, and resolves when all that it said has been read.
 *
 * Node's primary process hands a connection over, waits for the worker's word that it was accepted, and keeps it until
 * then. Of a worker that dies in between no word comes: the connection stays open for ever, its client waits, and
 * `disconnect` is never told, by which the worker would be taken off the list of those that listen (Node 20 to 26:
 * `lib/internal/cluster/round_robin_handle.js`, and `_handleQueue` in `lib/internal/child_process.js`). Here both are said
 * in its place. "Not accepted" has Node hand a connection to another worker; a worker gives its word before it reads from
 * one, so nothing that was begun is begun again. Where no worker is left the connection is closed.
 */
export async function returnUnaccepted(worker: ChildProcess, isAnyLeft: () => boolean): Promise<void> {
  const unaccepted = watchUnaccepted(worker)
  const told: { disconnect?: true } = {}
  worker.once('disconnect', () => (told.disconnect = true))
  await new Promise((resolve) => worker.once('exit', resolve))
  while (worker.connected) await nextTurn()
  await nextTurn()
  if (!told.disconnect) worker.emit('disconnect')
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
