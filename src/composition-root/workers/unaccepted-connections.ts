import type { ChildProcess } from 'node:child_process'

/** A handle of a connection, as Node passes it between processes. */
type ConnectionHandle = { close(): void }
/** What Node's cluster module sends with a connection; `ack` comes back with the number. */
type NewConnection = { readonly cmd: 'NODE_CLUSTER'; readonly act: 'newconn'; readonly seq: number }

/**
 * Gives connections of a worker that has died to the others. Node's primary process hands a connection over, waits for the
 * worker's word that it was accepted, and keeps it until then; of a worker that dies in between no word comes, the
 * connection stays open for ever and its client waits (Node 20 to 26, `lib/internal/cluster/round_robin_handle.js`). Here
 * the word is given in its place: not accepted, upon which Node hands it to another. A worker gives its word before it
 * reads from a connection, so nothing that was begun is begun again. Where no worker is left it is closed.
 */
export function returnUnaccepted(worker: ChildProcess, isAnyLeft: () => boolean): void {
  const waiting = new Map<number, ConnectionHandle>()
  const send = worker.send.bind(worker) as (...args: readonly unknown[]) => boolean
  worker.send = (message: unknown, handle?: unknown, ...rest: readonly unknown[]) => {
    if (isNewConnection(message)) waiting.set(message.seq, handle as ConnectionHandle)
    return send(message, handle, ...rest)
  }
  worker.on('internalMessage', ({ ack }: { readonly ack?: number }) => {
    if (ack !== undefined) waiting.delete(ack)
  })
  worker.once('disconnect', () => {
    const left = [...waiting]
    waiting.clear()
    for (const [ack, handle] of left) {
      if (isAnyLeft()) worker.emit('internalMessage', { cmd: 'NODE_CLUSTER', ack, accepted: false })
      else handle.close()
    }
  })
}

function isNewConnection(message: unknown): message is NewConnection {
  return typeof message === 'object' && message !== null && 'act' in message && message.act === 'newconn'
}
