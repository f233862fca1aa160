import { localOrigin } from '../../configuration/web.js'
import type { WorkerProcess } from './worker-process.js'

/** The socket that all workers share; Node's primary process accepts its connections and distributes them. */
export type SharedSocket = {
  /** Makes a worker listen, and resolves with the origin, such as `http://127.0.0.1:3000`. */
  listen(worker: WorkerProcess): Promise<string>
}

/**
 * Workers start listening one by one: if two workers try an unavailable address, Node's primary process throws when it replies to the second
 * worker. With port 0, every worker requests port 0, but all workers that listen at the same time share one port. When no worker is left, the
 * next workers request the port that was assigned before, because clients know that port.
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
