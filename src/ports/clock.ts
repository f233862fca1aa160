import type { Instant } from '../domain/instant.js'

/** Returns the current time. Tests pass a clock that they can set. */
export type Clock = () => Instant
