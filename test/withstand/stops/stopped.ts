import { setTimeout as pause } from 'node:timers/promises'
import { pidOf } from '../../cli/workers.js'
import { stopProcess } from '../../support/stop-process.js'
import type { ReplicaSet } from '../../mongodb-faults/replica-set.js'
import type { Scene, Trouble } from '../resources/scene.js'

/** Milliseconds of the windows that end while a process stands still: of none, of a refresh, a mail and an access token. */
const WINDOWS = [0, 30_000, 3 * 60_000, 16 * 60_000]
const SHORTEST = 50
const MOST = 600

/** It stands still; what is sent to it meanwhile is answered afterwards. */
export const serviceStopped: Trouble = {
  name: 'service stopped',
  stores: ['sqlite', 'mongodb'],
  isHealthy: true,
  operations: [5, 20],
  begin: async (scene) => {
    const { service, draws } = scene
    service.signal('SIGSTOP')
    passWindow(scene)
    await pause(draws.between(SHORTEST, MOST))
    service.signal('SIGCONT')
    return async () => undefined
  },
}

/** One worker stands still: its clients wait for it, and the others go on. */
export const workerStopped: Trouble = {
  name: 'worker stopped',
  stores: ['sqlite', 'mongodb'],
  // One that stands still in the middle of a write has the file, and the others may wait for it in vain.
  operations: [5, 20],
  begin: async (scene) => {
    const { service, draws } = scene
    const pid = pidOf(service, draws.between(1, 2))
    await stopProcess(pid)
    passWindow(scene)
    await pause(draws.between(SHORTEST, MOST))
    process.kill(pid, 'SIGCONT')
    return async () => undefined
  },
}

/** The others choose another primary; the one that goes on learns that it is none any more. */
export function primaryStopped(set: ReplicaSet): Trouble {
  return {
    name: 'primary stopped',
    stores: ['mongodb'],
    operations: [10, 30],
    begin: async () => {
      const primary = await set.primary()
      await primary.freeze()
      return async () => {
        primary.thaw()
      }
    },
  }
}

/** The clock goes on while a process does not. */
function passWindow({ service, site, draws }: Scene): void {
  const ahead = site.ahead + draws.pick(WINDOWS)
  if (ahead === site.ahead) return
  site.ahead = ahead
  service.setClock(ahead)
}
