import { setImmediate } from 'node:timers/promises'
import { wrapPort, wrapStore, type PortFunction } from '../../../src/ports/wrap-port.js'
import type { Store } from '../../../src/ports/store.js'
import type { Random } from '../random.js'

/**
 * The same store, whose calls take a few turns of the loop more before and after they are made, so that requests
 * overtake each other in as many ways as a real network would have them.
 */
export function jittered(store: Store, random: Random): Store {
  const wait = async () => {
    if (!random.chance(0.3)) return
    for (let turns = random.below(6); turns > 0; turns -= 1) await setImmediate()
  }
  const around =
    (call: PortFunction): PortFunction =>
    async (...args) => {
      await wait()
      const answer = await call(...args)
      await wait()
      return answer
    }
  return wrapStore(store, (port, name) => (name === 'audit' ? port : wrapPort(port, around)))
}
