import type { Clock } from '../../ports/clock.js'

/** The machine's wall clock. It may be set back: no lifetime of a cache should hang on it. */
export const systemClock: Clock = () => Date.now()
