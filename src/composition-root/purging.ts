import type { PurgeExpired } from '../application/purge-expired.js'
import type { Log } from '../ports/log.js'

const PURGE_EVERY = 10 * 60 * 1000

export type Purging = {
  /** Stops, after waiting for a purge that is under way. */
  end(): Promise<void>
}

/** Removes what has expired, at the start and then every ten minutes. */
export function createPurging(purgeExpired: PurgeExpired, log: Log): Purging {
  let underWay = Promise.resolve()
  const purge = () => {
    underWay = underWay.then(purgeExpired).then(
      (count) => {
        log.debug('purged what has expired', { count })
      },
      (error: unknown) => {
        log.warn('purging failed; it will be tried again', { error })
      },
    )
  }
  const timer = setInterval(purge, PURGE_EVERY)
  timer.unref()
  purge()
  return {
    end: async () => {
      clearInterval(timer)
      await underWay
    },
  }
}
