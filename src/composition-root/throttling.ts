import { createThrottle, type Throttle } from '../application/identity/throttle.js'
import type { AttemptLimit } from '../ports/attempt-limiter.js'

export type ThrottleParts = Omit<Parameters<typeof createThrottle>[0], 'limit'>

/** None where attempts are not limited. */
export function throttleOf(parts: ThrottleParts, limit: AttemptLimit | undefined): Throttle | undefined {
  return limit && createThrottle({ ...parts, limit })
}
