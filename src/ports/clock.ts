import type { Instant } from '../domain/instant.js'

/** The time as the application sees it; the tests move it by hand. */
export type Clock = () => Instant
