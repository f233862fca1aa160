import { setImmediate as turn } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/**
 * Collects unreachable objects, in a later turn, because a recently read WeakRef keeps its target until its turn ends.
 */
export async function collectGarbage(): Promise<void> {
  setFlagsFromString('--expose-gc')
  const gc = runInNewContext('gc') as () => void
  await turn()
  gc()
  await turn()
}
