/** A moment in milliseconds since 1970-01-01T00:00:00Z, from a clock that was passed in. */
export type Instant = number

/** A length of time in milliseconds. */
export type Milliseconds = number
