/** A moment in milliseconds since 1970-01-01T00:00:00Z. */
export type Instant = number

/** A duration in milliseconds. */
export type Milliseconds = number
