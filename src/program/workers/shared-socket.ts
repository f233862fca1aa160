import { localOrigin } from '../../configuration/web.js'
import type { WorkerProcess } from './worker-process.js'

/** The socket of requests, which is of all workers: Node's primary process accepts its connections and hands them out. */
export type SharedSocket = {
  /** Has a worker listen, and says where that is, such as `http://127.0.0.1:3000`. */
  listen(worker: WorkerProcess): Promise<string>
}

/**
 * One worker after the other: where two begin to listen at an address that cannot be had, Node's primary process throws
 * at the answer to the second. With port 0 all that listen at a time share one port, and they are asked for port 0; once
 * none of them is left, those that come next are asked for the port that was found, since clients know that one.
 */
export function createSharedSocket(port: number): SharedSocket {
  const listening = new Set<WorkerProcess>()
  let wanted = port
  let found = port
  let turn: Promise<unknown> = Promise.resolve()

  async function listen(worker: WorkerProcess): Promise<string> {
    const { host, port: bound } = await worker.ask({ kind: 'listen', port: wanted }, 'listening')
    found = bound
    listening.add(worker)
    void worker.ended.then(() => {
      listening.delete(worker)
      if (listening.size === 0) wanted = found
    })
    return localOrigin(host, bound)
  }

  return {
    listen: (worker) => {
      const address = turn.then(() => listen(worker))
      turn = address.catch(() => undefined)
      return address
    },
  }
}
