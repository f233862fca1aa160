import type { Instant } from '../domain/instant.js'

/** Returns the current time. Tests set it. */
export type Clock = () => Instant
