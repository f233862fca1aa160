/** A moment in milliseconds since 1970-01-01T00:00:00Z. */
export type Instant = number

export type Milliseconds = number
