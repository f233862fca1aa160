import { setImmediate as turn } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/**
 * Collects unreachable objects in a later event loop turn, because reading a WeakRef keeps its target until the turn
 * ends.
 */
export async function collectGarbage(): Promise<void> {
  setFlagsFromString('--expose-gc')
  const gc = runInNewContext('gc') as () => void
  await turn()
  gc()
  await turn()
}
