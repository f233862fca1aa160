import type { Milliseconds } from '../../domain/instant.js'
import { unavailable } from '../../domain/refusal.js'

/**
 * What the work comes to, or a Refusal `unavailable` when it has taken longer: the driver has
 * limits for each of its steps and none for a whole call. The work itself goes on; what it writes
 * may still be written, as with any answer that is lost on its way.
 */
export async function within<T>(timeout: Milliseconds, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const timedOut = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(unavailable('The MongoDB server did not answer in time.')), timeout)
  })
  try {
    return await Promise.race([work, timedOut])
  } finally {
    clearTimeout(timer)
  }
}
