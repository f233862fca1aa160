import type { Milliseconds } from '../../../domain/instant.js'

const INTERVAL: Milliseconds = 60_000

/**
 * Tells of what may happen a thousand times a second at most once a minute: the first time at once, then how often it
 * has happened since. `now` is in milliseconds, of a clock that never goes back.
 */
export function createNotice(
  tell: (count: number) => void,
  now: () => Milliseconds = () => performance.now(),
): () => void {
  let count = 0
  let next = -Infinity
  return () => {
    count += 1
    if (now() < next) return
    tell(count)
    count = 0
    next = now() + INTERVAL
  }
}
