import { instancesOf } from '../adapters/upgrades.js'
import { systemRandomness } from '../adapters/system/index.js'
import { processName } from '../configuration/environment.js'
import type { Milliseconds } from '../domain/instant.js'
import { isRefusal } from '../domain/refusal.js'
import type { Clock } from '../ports/system.js'
import type { Log } from '../ports/log.js'

const RENEW_EVERY: Milliseconds = 60_000

/** The dependencies needed to record that an instance serves the store. */
export type Serving = { readonly clock: Clock; readonly log: Log }

/**
 * Records that this process serves the store, until the returned function is called. Rejects only with an `incompatible-store` Refusal; any
 * other failure is logged, because the records matter only for upgrades. Does nothing for a custom store.
 */
export async function recordServing(store: object, { clock, log }: Serving): Promise<() => Promise<void>> {
  const records = instancesOf(store)
  if (!records) return () => Promise.resolve()
  const id = `${processName()}/${systemRandomness.base64url(3)}`
  const warn = (error: unknown) => log.warn('this instance could not be recorded as running', { error })
  await records.put(id, clock()).catch((error: unknown) => {
    if (isRefusal(error) && error.code === 'incompatible-store') throw error
    warn(error)
  })
  let renewing = Promise.resolve()
  const timer = setInterval(() => {
    renewing = renewing.then(() => records.put(id, clock())).catch(warn)
  }, RENEW_EVERY)
  timer.unref()
  return async () => {
    clearInterval(timer)
    await renewing
    await records.remove(id).catch(warn)
  }
}
