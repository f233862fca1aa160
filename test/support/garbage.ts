import { setImmediate as turn } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** Collects what cannot be reached any more; what a WeakRef was asked for just now is kept until a turn is over. */
export async function collectGarbage(): Promise<void> {
  setFlagsFromString('--expose-gc')
  const gc = runInNewContext('gc') as () => void
  await turn()
  gc()
  await turn()
}
